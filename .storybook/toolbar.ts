import { html, type TemplateResult } from 'lit'
import { action } from 'storybook/actions'
import { addLanguage } from '../src/elements/messages.ts'
import '../src/define/wf-context.ts'
import type { Fault } from '../src/emulator/control/faults.ts'
import { type Backend, people } from '../stories/backend.ts'
import { type Context, systemOf } from '../stories/story.ts'
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

/** The settings above each story. */
export const globalTypes = {
  person: menu('Who is signed in', 'user', [
    ['story', 'As the story says'],
    ['initiator', 'Amara Okafor, initiator'],
    ['firstApprover', 'Daniel Reyes, first approver'],
    ['secondApprover', 'Mei-Ling Zhou, second approver'],
    ['administrator', 'Priya Raman, administrator'],
    ['outsider', 'Theo Marchetti, outsider'],
    ['nobody', 'Nobody'],
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
    ['es', 'Español'],
    ['qps', 'Pseudo: long, with accents'],
  ]),
  latency: menu('Latency', 'timer', [
    [0, 'No delay'],
    [300, '0.3 seconds'],
    [2000, '2 seconds'],
    [15_000, '15 seconds: longer than elements wait'],
  ]),
  fault: menu('Fault of the services', 'lightning', [
    ['none', 'All is well'],
    ['unavailable', 'Not available (503)'],
    ['broken', 'Broken (500)'],
    ['cut', 'Answers that break off'],
    ['garbage', 'A login page in place of answers'],
    ['unknownFields', 'Fields that nobody knows'],
    ['unknownValues', 'Values that nobody knows'],
    ['missingFields', 'Fields missing'],
    ['nulls', 'null in every field'],
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

/** The initial user and the last settings of each system. */
const known = new WeakMap<Backend, { readonly person: string | null; switched?: string }>()

/** Applies the settings to the system behind a story. If they have changed, the story reloads its data. */
export function applyToSystem(context: Context): void {
  const system = systemOf(context)
  if (!system) return
  const { person, latency, fault } = context.globals as typeof initialGlobals
  const before = known.get(system) ?? { person: system.person }
  known.set(system, before)
  const switched = `${person} ${latency} ${fault}`
  if (before.switched === switched) return

  system.person =
    person === 'story' ? before.person : person === 'nobody' ? null : people[person as keyof typeof people]
  system.latency = latency
  system.emulator.faults.clear()
  if (faults[fault]) system.emulator.faults.add([{ operation: '*', times: 1e9, ...faults[fault] }])
  if (before.switched !== undefined) lookAgain(context.canvasElement)
  before.switched = switched
}

function lookAgain(canvas: Element): void {
  for (const element of canvas.querySelectorAll('*')) {
    if ('refresh' in element) void (element as Element & { refresh(): Promise<void> }).refresh()
  }
  // Uploads continue when the page comes back online.
  window.dispatchEvent(new Event('online'))
}

/** Renders a story in a page with the chosen language, direction and colour scheme, and connects it to its system. */
export function withPage(story: () => unknown, context: Context): TemplateResult {
  const { theme, direction, language } = context.globals as typeof initialGlobals
  return html`
    <div class="page ${theme} ${context.viewMode}" lang=${language} dir=${direction}>
      <wf-context .client=${systemOf(context)?.client}>${story()}</wf-context>
    </div>
  `
}

function tell(event: Event): void {
  action(event.type)(event)
}

/** Shows the events of an element in the Actions panel. */
export function listen({ canvasElement, argTypes }: Context): () => void {
  const names = Object.values(argTypes)
    .filter(({ table }) => table?.category === 'events')
    .map(({ name }) => name)
  for (const name of names) canvasElement.addEventListener(name, tell)
  return () => {
    for (const name of names) canvasElement.removeEventListener(name, tell)
  }
}
