import type { Meta } from '@storybook/web-components-vite'
import { html, type TemplateResult } from 'lit'
import { ref } from 'lit/directives/ref.js'
import '../../src/define/index.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import { createBackend, people } from '../backend.ts'
import analytics from '../recipes/analytics.html?raw'
import badges from '../recipes/badges.html?raw'
import languages from '../recipes/languages.html?raw'
import ownSignScreen from '../recipes/own-sign-screen.html?raw'
import refuseAChange from '../recipes/refuse-a-change.html?raw'
import requiredAttachments from '../recipes/required-attachments.html?raw'
import uploadsInAForm from '../recipes/uploads-in-a-form.html?raw'
import type { Context, Story } from '../story.ts'
import { travelRequest } from '../travel-request.ts'

const meta: Meta = { title: 'Recipes', tags: ['!autodocs'] }
export default meta

export const RefuseAChange: Story = {
  render: () => page(refuseAChange),
  play: async (context) => {
    await click(context, 'wf-package-status', '[data-action=voidPackage]')
    const reason = await find(context, 'wf-package-status', 'dialog[open] input, dialog[open] select')
    if (reason instanceof HTMLSelectElement) reason.selectedIndex = 1
    else reason.click()
    await click(context, 'wf-package-status', 'dialog[open] [type=submit]')
    await waitForText(context, '#guarded-message', /travel office/)
  },
  parameters: { ...code(refuseAChange), shows: /In routing/ },
}

export const OwnSignScreen: Story = {
  render: () => page(ownSignScreen),
  play: async (context) => {
    await click(context, 'wf-package-status', '[part=sign]')
    await waitForText(context, '#signed-here-message', /for signature 9001/)
  },
  parameters: {
    ...code(ownSignScreen),
    backend: () => createBackend(people.firstApprover),
    shows: /In routing.*Sign/,
  },
}

export const Badges: Story = {
  render: () => page(badges),
  parameters: { ...code(badges), shows: /In routing.*Not available/ },
}

export const RequiredAttachments: Story = {
  render: () => page(requiredAttachments),
  play: async (context) => {
    await find(context, 'wf-attachments', '[part=required]')
    const { canvasElement } = context
    // Again until the recipe's script listens: it is a module, which may run after the attachments have loaded.
    await until(() => {
      canvasElement.querySelector('form')?.requestSubmit()
      return canvasElement.querySelector('#travel-form-message')?.textContent
    })
    await waitForText(context, '#travel-form-message', /missing/)
  },
  parameters: { ...code(requiredAttachments), shows: /0 of 1 required/ },
}

export const UploadsInAForm: Story = {
  render: () => page(uploadsInAForm),
  play: async (context) => {
    const uploader = context.canvasElement.querySelector<FsUploader>('fs-uploader')
    uploader?.add([new File(['%PDF-1.7'], 'report.pdf', { type: 'application/pdf' })])
    await find(context, 'fs-uploader', '[part=download]')
    context.canvasElement.querySelector('form')?.requestSubmit()
    await waitForText(context, '#report-form-sent', /"files": \[\s+"[\da-f-]{36}"/)
  },
  parameters: { ...code(uploadsInAForm), shows: /report\.pdf.*Uploaded/ },
}

export const Languages: Story = {
  render: () => page(languages),
  parameters: { ...code(languages), shows: /En trámite.*In routing/ },
}

export const Analytics: Story = {
  render: () => page(analytics),
  play: (context) =>
    // The elements load in the order in which the service responds.
    waitForText(
      context,
      '#measured-log',
      /(?=.*wf-load wf-package-status)(?=.*wf-comments-count wf-comments 2)/s,
    ),
  parameters: { ...code(analytics), backend: travelRequest, shows: /In routing.*travel fund/ },
}

/** Shows a recipe as the code of its story. */
function code(text: string) {
  return { docs: { source: { code: text, language: 'html' } } }
}

/** Adds the unchanged text of a recipe to the page and runs its scripts. */
function page(text: string): TemplateResult {
  // One function for each text: with a new one, Lit would add the recipe again on each render.
  let fill = fillers.get(text)
  if (!fill) {
    // When Lit calls this function, the element is not in the page yet.
    fill = (place) => queueMicrotask(() => place?.isConnected && place.append(fragmentOf(text)))
    fillers.set(text, fill)
  }
  return html`<div ${ref(fill)}></div>`
}

const fillers = new Map<string, (place?: Element) => void>()

function fragmentOf(text: string): DocumentFragment {
  // The texts come from this repository.
  // eslint-disable-next-line no-unsanitized/method
  return document.createRange().createContextualFragment(text)
}

async function waitForText(
  { canvasElement }: Pick<Context, 'canvasElement'>,
  selector: string,
  pattern: RegExp,
) {
  const text = () => canvasElement.querySelector(selector)?.textContent ?? ''
  if (!(await until(() => pattern.test(text()))))
    throw new Error(`Expected ${pattern} in ${selector}, but it contains "${text()}"`)
}

async function click(context: Pick<Context, 'canvasElement'>, tag: string, selector: string): Promise<void> {
  ;(await find(context, tag, selector)).click()
}

/** Waits until an element matches the selector in the shadow root of `tag`, and returns it. */
async function find(
  { canvasElement }: Pick<Context, 'canvasElement'>,
  tag: string,
  selector: string,
): Promise<HTMLElement> {
  const query = () => canvasElement.querySelector(tag)?.shadowRoot?.querySelector<HTMLElement>(selector)
  await until(query)
  const found = query()
  if (!found) throw new Error(`No ${selector} in <${tag}>`)
  return found
}

async function until(condition: () => unknown): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (condition()) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
