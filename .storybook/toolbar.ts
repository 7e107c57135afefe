import { html, type TemplateResult } from 'lit'
import { action } from 'storybook/actions'
import { addLanguage } from '../src/elements/text/added-languages.ts'
import '../src/define/wf-context.ts'
import type { Fault } from '../src/emulator/control/faults.ts'
import { type Backend, people } from '../stories/backend.ts'
import { type Context, backendOf } from '../stories/story.ts'
import { pseudo } from '../test/pseudo.ts'

addLanguage('qps', pseudo)

/** The initial settings of the toolbar. */
export const initialGlobals = {
  person: 'story',
  theme: 'light',
  direction: 'ltr',
  language: 'en',
  latency: 0,
  fault: 'none',
}

/** The faults that the emulator injects into each request from now on. */
const faults: Readonly<Record<string, Omit<Fault, 'operation' | 'times'>>> = {
  unavailable: { status: 503 },
  broken: { status: 500 },
  cut: { cut: true },
  garbage: { garbage: true },
  unknownFields: { drift: 'unknown_fields' },
  unknownValues: { drift: 'unknown_values' },
  missingFields: { drift: 'missing_fields' },
  nulls: { drift: 'nulls' },
}

/** The settings in the toolbar above each story. */
export const globalTypes = {
  person: menu('Who is signed in', 'user', [
    ['story', 'As defined by the story'],
    ['initiator', 'Amara Okafor, initiator'],
    ['firstApprover', 'Daniel Reyes, first approver'],
    ['secondApprover', 'Mei-Ling Zhou, second approver'],
    ['administrator', 'Priya Raman, administrator'],
    ['outsider', 'Theo Marchetti, outsider'],
    ['nobody', 'Signed out'],
  ]),
  theme: menu('Colour scheme', 'contrast', [
    ['light', 'Light'],
    ['dark', 'Dark'],
  ]),
  direction: menu('Direction', 'transfer', [
    ['ltr', 'Left to right'],
    ['rtl', 'Right to left'],
  ]),
  language: menu('Language', 'globe', [
    ['en', 'English'],
    ['ar', 'العربية'],
    ['de', 'Deutsch'],
    ['es', 'Español'],
    ['fr', 'Français'],
    ['hi', 'हिन्दी'],
    ['ja', '日本語'],
    ['ko', '한국어'],
    ['pt-BR', 'Português (Brasil)'],
    ['ru', 'Русский'],
    ['vi', 'Tiếng Việt'],
    ['zh-Hans', '简体中文'],
    ['qps', 'Pseudo-language: long words with accents'],
  ]),
  latency: menu('Latency', 'timer', [
    [0, 'No delay'],
    [300, '0.3 seconds'],
    [2000, '2 seconds'],
    [15_000, '15 seconds: longer than the timeout of elements'],
  ]),
  fault: menu('Fault of the services', 'lightning', [
    ['none', 'No fault'],
    ['unavailable', 'Not available (503)'],
    ['broken', 'Broken (500)'],
    ['cut', 'Responses cut off'],
    ['garbage', 'A login page instead of each response'],
    ['unknownFields', 'Unknown fields'],
    ['unknownValues', 'Unknown values'],
    ['missingFields', 'Missing fields'],
    ['nulls', 'Every field null'],
  ]),
}

function menu(name: string, icon: string, items: readonly (readonly [value: unknown, title: string])[]) {
  return {
    description: name,
    toolbar: { title: name, icon, items: items.map(([value, title]) => ({ value, title })) },
  }
}

/** Whether no setting changes the content of a story. */
export function isAsWritten({ globals }: Context): boolean {
  return (['person', 'language', 'latency', 'fault'] as const).every(
    (name) => globals[name] === initialGlobals[name],
  )
}

/** The initial user and the last settings of each backend. */
const appliedSettings = new WeakMap<Backend, { readonly person: string | null; settings?: string }>()

/** Applies the settings to the backend of a story. If they have changed, the story reloads its data. */
export function applyToBackend(context: Context): void {
  const backend = backendOf(context)
  if (!backend) return
  const { person, latency, fault } = context.globals as typeof initialGlobals
  const applied = appliedSettings.get(backend) ?? { person: backend.person }
  appliedSettings.set(backend, applied)
  const settings = `${person} ${latency} ${fault}`
  if (applied.settings === settings) return

  backend.person =
    person === 'story' ? applied.person : person === 'nobody' ? null : people[person as keyof typeof people]
  backend.latency = latency
  backend.emulator.faults.clear()
  if (faults[fault]) backend.emulator.faults.add([{ operation: '*', times: 1e9, ...faults[fault] }])
  if (applied.settings !== undefined) refreshAll(context.canvasElement)
  applied.settings = settings
}

function refreshAll(canvas: Element): void {
  for (const element of canvas.querySelectorAll('*')) {
    if ('refresh' in element) void (element as Element & { refresh(): Promise<void> }).refresh()
  }
  // Uploads continue when the page comes back online.
  window.dispatchEvent(new Event('online'))
}

/** Renders a story in a page with the chosen language, direction and colour scheme, and connects it to its backend. */
export function withPage(story: () => unknown, context: Context): TemplateResult {
  const { theme, direction, language } = context.globals as typeof initialGlobals
  return html`
    <div class="page ${theme} ${context.viewMode}" lang=${language} dir=${direction}>
      <wf-context .client=${backendOf(context)?.client}>${story()}</wf-context>
    </div>
  `
}

function logEvent(event: Event): void {
  action(event.type)(event)
}

/** Shows the events of an element in the Actions panel. */
export function logEvents({ canvasElement, argTypes }: Context): () => void {
  const names = Object.values(argTypes)
    .filter(({ table }) => table?.category === 'events')
    .map(({ name }) => name)
  for (const name of names) canvasElement.addEventListener(name, logEvent)
  return () => {
    for (const name of names) canvasElement.removeEventListener(name, logEvent)
  }
}
