import { expect, fixture } from '@open-wc/testing'
import { english } from '../../src/locales/english.ts'
import '../../src/define/fs-files.ts'
import '../../src/define/fs-shares.ts'
import '../../src/define/fs-uploader.ts'
import '../../src/define/wf-attachments.ts'
import '../../src/define/wf-comments.ts'
import '../../src/define/wf-form.ts'
import '../../src/define/wf-history.ts'
import '../../src/define/wf-office.ts'
import '../../src/define/wf-overrides.ts'
import '../../src/define/wf-package-status.ts'
import '../../src/define/wf-route.ts'
import { createBackend, people } from '../../stories/backend.ts'
import { createFilesBackend, directory, sampleFiles, share, storeFiles } from '../../stories/stored-files.ts'
import { waitUntil } from '../wait-until.ts'

const uuid = '0f5e0000-0000-4000-8000-000000000001'
const ofPackage = { formId: 6025, packageId: 42 }

/** Every element that sends requests, with its settings. */
const elements: Readonly<Record<string, object>> = {
  'wf-package-status': ofPackage,
  'wf-history': ofPackage,
  'wf-comments': ofPackage,
  'wf-attachments': ofPackage,
  'wf-overrides': ofPackage,
  'wf-route': ofPackage,
  'wf-form': ofPackage,
  'wf-office': { value: '11-0420' },
  'fs-uploader': { value: uuid },
  'fs-files': { value: uuid },
  'fs-shares': { file: uuid },
}

/** These may hold answers or uploads that would be lost with the page. */
const opensTab = ['wf-office', 'fs-uploader']

describe('A person who is signed out', () => {
  for (const [tag, properties] of Object.entries(elements)) {
    it(`finds the way to sign in: <${tag}>`, async () => {
      const element = await show(tag, { ...properties, signInUrl: '/login?from={returnUrl}' })
      await waitUntil(() => linkIn(element), `no link: ${element.shadowRoot!.textContent}`)
      const link = linkIn(element)!
      expect(link.href).to.equal(`${location.origin}/login?from=${encodeURIComponent(location.href)}`)
      expect(link.textContent).to.equal('Sign in')
      expect(link.target).to.equal(opensTab.includes(tag) ? '_blank' : '')
      expect(element.shadowRoot!.textContent).to.include(english.common.isSignedOut)
      await expect(element).to.be.accessible()
    })

    it(`reads what to do if the page names no address: <${tag}>`, async () => {
      const element = await show(tag, properties)
      await waitUntil(() => element.shadowRoot!.textContent.includes('Sign in, then return to this page.'))
      expect(linkIn(element)).to.equal(null)
    })
  }

  it('keeps what was typed into <wf-form>, and signs in in another tab @engines', async () => {
    const backend = createBackend(people.initiator)
    const element = await show('wf-form', { formId: 6025, signInUrl: '/login' }, backend)
    await waitUntil(() => element.matches(':state(loaded)'))
    const input = element.querySelector('input')!
    input.value = 'Field work'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    backend.person = null
    await (element as HTMLElement & { save: () => Promise<void> }).save()
    await waitUntil(() => linkIn(element), element.shadowRoot!.textContent)
    expect(linkIn(element)!.target).to.equal('_blank')
    expect(element.shadowRoot!.textContent).to.include('What you typed stays here.')
    expect(input.value).to.equal('Field work')
  })
})

describe('A person whose session ends in a dialog', () => {
  it('finds the way to sign in, and keeps the comment: an action @engines', async () => {
    const backend = createBackend(people.administrator)
    const element = await show('wf-package-status', { ...ofPackage, signInUrl: '/login' }, backend)
    const dialog = await open(element, '[data-action=returnToInitiator]', 'dialog [name=comment]')
    fill(dialog, '[name=comment]', 'Receipts are missing.')
    backend.person = null
    submit(dialog)
    await expectLink(dialog, 'You are signed out. Sign in')
    expect(dialog.querySelector('textarea')!.value).to.equal('Receipts are missing.')
    backend.person = people.administrator
    submit(dialog)
    await waitUntil(() => !dialog.open)
    expect(backend.emulator.packages.test.get(42)?.comments[0]?.comment).to.equal('Receipts are missing.')
  })

  it('finds the way to sign in: the end of a share', async () => {
    const backend = createFilesBackend(people.administrator)
    const [file = ''] = storeFiles(backend, sampleFiles)
    share(backend, 'storage-admin', file)
    const element = await show('fs-shares', { grantees: directory, signInUrl: '/login' }, backend)
    const dialog = await open(element, '.revoke', 'dialog .danger')
    backend.person = null
    dialog.querySelector<HTMLElement>('.danger')!.click()
    await expectLink(dialog, 'You are signed out. Sign in')
  })
})

/** Presses a button, and waits for a control of the dialog that it opens. */
async function open(element: HTMLElement, button: string, control: string): Promise<HTMLDialogElement> {
  const find = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector)
  await waitUntil(() => find(button), `no ${button}`)
  find(button)!.click()
  await waitUntil(() => find(control)?.closest('dialog')?.open, `no ${control}`)
  return find(control)!.closest('dialog')!
}

function fill(form: HTMLElement, selector: string, value: string): void {
  const field = form.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector)!
  field.value = value
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

function submit(form: HTMLElement): void {
  form.querySelector<HTMLElement>('[type=submit]')!.click()
}

/** Waits for the message with a link that opens a new tab. */
async function expectLink(form: HTMLElement, text: string): Promise<void> {
  await waitUntil(() => form.querySelector('[part=sign-in]'), 'no link')
  const link = form.querySelector<HTMLAnchorElement>('[part=sign-in]')!
  expect(link.closest('[role=alert]')!.textContent.trim().replace(/\s+/g, ' ')).to.equal(text)
  expect([new URL(link.href).pathname, link.target]).to.deep.equal(['/login', '_blank'])
}

async function show(tag: string, properties: object, { client } = createBackend(null)): Promise<HTMLElement> {
  const element = Object.assign(document.createElement(tag), { client, ...properties })
  element.ariaLabel = 'Test'
  if (tag === 'wf-form') element.innerHTML = '<form><label>Purpose <input name="purpose"></label></form>'
  return await fixture<HTMLElement>(element)
}

function linkIn(element: HTMLElement): HTMLAnchorElement | null {
  return element.shadowRoot!.querySelector('[part=sign-in]')
}
