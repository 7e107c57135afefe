import type { RoutingOverrideBody } from '../src/contract/schemas/overrides.ts'
import { routes } from '../src/contract/routes/routes.ts'
import type { BrowserOperation } from '../src/contract/routes/routes.ts'
import type { DirectoryPerson } from '../src/elements/person/person-lookup.ts'
import { type Backend, createBackend, people } from './backend.ts'
import { loaded } from './story.ts'

// What the stories and tests of <wf-overrides> share.

const all: readonly DirectoryPerson[] = [
  { univid: people.firstApprover, name: 'Daniel Reyes', detail: 'Biology' },
  { univid: people.secondApprover, name: 'Mei-Ling Zhou', detail: 'Dean’s Office' },
  { univid: people.viewer, name: 'Ruth Lindqvist', detail: 'Biology' },
  { univid: people.outsider, name: 'Theo Marchetti', detail: 'History' },
  { univid: people.administrator, name: 'Priya Raman', detail: 'Information Technology' },
]

/** Searches a made-up directory. */
export function findPeople(text: string): Promise<readonly DirectoryPerson[]> {
  const isFound = ({ univid, name }: DirectoryPerson) =>
    univid === text || name.toLowerCase().includes(text.toLowerCase())
  return Promise.resolve(all.filter(isFound))
}

export function replace(
  subjectUnivid: string,
  replacementUnivid: string,
  type: RoutingOverrideBody['type'] = 'DELEGATE',
): RoutingOverrideBody {
  return { subjectUnivid, type, reason: 'CONFLICT_OF_INTEREST', replacementUnivid }
}

export interface OverrideSetup {
  readonly person?: string | null
  /** Operations that the policy allows to the administrator. */
  readonly allowed?: readonly string[]
  /** Whether the service has not applied the overrides to the inboxes yet. */
  readonly isLate?: boolean
  /** Timeout of each request in ms. Default: that of the client. */
  readonly timeout?: number
}

/** Creates a backend with these overrides of package 42, which its administrator may manage and view. */
export function createOverrideBackend(
  overrides: readonly RoutingOverrideBody[] = [],
  {
    person = people.administrator,
    allowed = ['getOverrides', 'createOverride', 'deactivateOverride'],
    isLate = false,
    timeout,
  }: OverrideSetup = {},
): Backend {
  const backend = createBackend(
    person,
    timeout === undefined ? {} : { timeout },
    [6025],
    {},
    {
      operations: Object.keys(routes) as BrowserOperation[],
      policy: ({ operation, person: { univid } }) =>
        univid === people.administrator && allowed.includes(operation),
    },
  )
  const found = backend.emulator.packages.test.get(42)!
  if (isLate) found.overrides = [...overrides]
  else ready.set(backend, createAll(backend, overrides))
  const { intercept } = backend
  backend.intercept = (request) => {
    const pending = ready.get(backend)
    if (!pending) return intercept(request)
    return pending.then(async () => await backend.emulator.fetch(request))
  }
  return backend
}

/** The overrides that a backend still creates. */
const ready = new WeakMap<Backend, Promise<void>>()

async function createAll({ emulator }: Backend, overrides: readonly RoutingOverrideBody[]): Promise<void> {
  for (const override of overrides) {
    await emulator.fetch(
      new Request('http://emulator.test/wf/test/api/developer/forms/6025/packages/42/routing/overrides', {
        method: 'POST',
        headers: {
          Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
          'content-type': 'application/json',
          'x-workflow-request-user': people.administrator,
          'x-workflow-bypass-authorization': 'true',
        },
        body: JSON.stringify(override),
      }),
    )
  }
}

/** Returns a function that opens the form, fills it in, and continues if it is complete. */
export function openForm(values: {
  readonly subject?: string
  readonly type?: string
  readonly replacement?: string
}): (element: HTMLElement) => Promise<void> {
  return async (element) => {
    await loaded(element)
    const { updateComplete } = element as unknown as { readonly updateComplete: Promise<boolean> }
    await updateComplete
    const root = element.shadowRoot!
    root.querySelector<HTMLElement>('[part=add]')!.click()
    await (element as unknown as { updateComplete: Promise<boolean> }).updateComplete
    fill(root, values)
  }
}

/** Fills in the form. Continues if both people are given. */
export function fill(
  root: ShadowRoot,
  { subject, type, replacement }: { subject?: string; type?: string; replacement?: string },
): void {
  for (const [name, value] of Object.entries({ subject, replacement })) {
    if (value === undefined) continue
    const input = root.querySelector<HTMLInputElement>(`[name=${name}]`)!
    input.value = value
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  if (type) root.querySelector<HTMLElement>(`[value=${type}]`)!.click()
  if (subject && replacement) root.querySelector<HTMLElement>('[type=submit]')!.click()
}
