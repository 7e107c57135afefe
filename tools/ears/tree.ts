import type { CDPSession, Page, Request } from 'playwright-core'
import type { Listener } from './perform.ts'
import { startTime } from './stage.ts'
import type { Described, Heard, ReadLine } from './transcript.ts'
import type { Actor } from './user.ts'

// Reads the accessibility tree of Chromium over its debugging protocol, and records the focus and the live regions in the page.
// This needs no desktop. What the desktop's accessibility bus adds is in `desktop.ts`.

/** A node of the tree, as far as it matters here. */
interface AXNode {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly description?: { readonly value: string }
  readonly value?: { readonly value: string | number }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
  readonly childIds?: readonly string[]
}

/** What the page has recorded: a text of a live region, or the number of an element that got the focus. */
type Recorded =
  | { readonly kind: 'live'; readonly live: string; readonly role: string; readonly text: string }
  | { readonly kind: 'focus'; readonly index: number }

/** Prepares a page. Returns what acts in it, and what listens to it. */
export async function openTree(page: Page): Promise<Actor & Listener> {
  const session = await page.context().newCDPSession(page)
  // Later than the services, whose clock goes on: what they do in the next 50 seconds is not in the future.
  await page.clock.setFixedTime(startTime + 50_000)
  await page.addInitScript(recorder)
  page.on('dialog', (dialog) => void dialog.accept())
  // The stream of live events never ends.
  const requests = new Set<Request>()
  let started = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/events')) return
    requests.add(request)
    started++
  })
  const onEnd = (request: Request) => void requests.delete(request)
  page.on('requestfinished', onEnd).on('requestfailed', onEnd)
  /** Waits until the page has received all responses, and has done what follows from them at once. */
  const responses = async () => {
    do {
      while (requests.size > 0) await page.waitForTimeout(10)
      // The clock of the page stands still, but messages arrive.
      await page.evaluate(`new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve()
        port2.postMessage(null)
      })`)
    } while (requests.size > 0)
  }
  return {
    goto: (url) => page.goto(url),
    evaluate: (script, ...args) => page.evaluate(`(function () {${script}})(...${JSON.stringify(args)})`),
    press: (chord) => page.keyboard.press(chord),
    type: (text) => page.keyboard.type(text),
    // The timers of the page run at once, whatever their delay, but never ahead of a response.
    async settle(milliseconds) {
      let before
      do {
        before = started
        await responses()
        await page.clock.runFor(milliseconds)
        await responses()
      } while (started > before)
    },
    async heardUntil(mark) {
      const isHeard = `heard.some(({ text }) => text?.includes(${JSON.stringify(mark)}))`
      // The policy of the page allows no `waitForFunction`.
      while (!(await page.evaluate(isHeard))) await page.clock.runFor(100)
      const recorded = await page.evaluate<Recorded[]>(`heard.splice(0)`)
      const heard: Heard[] = []
      for (const one of recorded)
        heard.push(
          one.kind === 'live' ? one : { kind: 'focus', entered: [], ...(await focused(session, one.index)) },
        )
      return heard
    },
    async read(role, name = '') {
      const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: AXNode[] }
      const all = new Map(nodes.map((node) => [node.nodeId, node]))
      const found = nodes.find((node) => node.role?.value === role && (!name || node.name?.value === name))
      if (!found) throw new Error(`There is no ${role} "${name}".`)
      return linesOf(found, all)
    },
  }
}

/** Describes an element that got the focus. */
async function focused(session: CDPSession, index: number): Promise<Described> {
  const { result } = await session.send('Runtime.evaluate', { expression: `focused[${index}]` })
  const { nodes } = (await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })) as unknown as { nodes: AXNode[] }
  return describedOf(nodes[0]!)
}

/** Returns the content of a node. Containers that mean nothing are left out, but not what they contain. */
function linesOf({ childIds = [] }: AXNode, all: ReadonlyMap<string, AXNode>): readonly ReadLine[] {
  return childIds.flatMap((id): readonly ReadLine[] => {
    const node = all.get(id)
    if (!node) return []
    const role = node.role?.value ?? ''
    const text = node.name?.value.trim() ?? ''
    if (role === 'StaticText') return text ? [{ text }] : []
    if (role === 'ListMarker' || role === 'InlineTextBox') return []
    const children = named.has(role) ? [] : linesOf(node, all)
    return node.ignored || silent.has(role) ? children : [{ ...describedOf(node), children }]
  })
}

/** Roles whose content is their name. */
const named = new Set(['button', 'link', 'DisclosureTriangle', 'textbox', 'combobox', 'Date'])

/** Roles that say nothing without their content. */
const silent = new Set([
  'generic',
  'none',
  'paragraph',
  'strong',
  'emphasis',
  'time',
  'LabelText',
  'Legend',
  'Section',
  'LineBreak',
  'DescriptionList',
])

function describedOf({ role, name, description, value, properties = [] }: AXNode): Described {
  const of = (wanted: string) => properties.find((one) => one.name === wanted)?.value.value
  const states = [
    ...(of('checked') === undefined ? [] : [of('checked') === 'true' ? 'checked' : 'not checked']),
    ...(of('expanded') === undefined ? [] : [of('expanded') ? 'expanded' : 'collapsed']),
    ...['disabled', 'required', 'selected', 'busy'].filter((state) => of(state) === true),
    ...(of('invalid') === 'true' ? ['invalid'] : []),
  ]
  const level = of('level')
  return {
    role: role?.value ?? '',
    name: name?.value ?? '',
    states,
    ...(description?.value && { description: description.value }),
    ...(value?.value !== undefined && { value: `${value.value}` }),
    ...(role?.value === 'heading' && typeof level === 'number' && { level }),
  }
}

/** Records in the page, in the order of events: `heard`, and the elements of `focused`. */
const recorder = `
  window.heard = []
  window.focused = []
  const lastTexts = new Map()
  const record = (changes) => {
    const regions = new Set(changes.map(({ target }) => (target.nodeType === 1 ? target : target.parentElement)?.closest('[role=status], [role=alert]')))
    for (const region of regions) {
      if (!region) continue
      const text = region.textContent.replace(/\\s+/g, ' ').trim()
      if (text === (lastTexts.get(region) ?? '')) continue
      lastTexts.set(region, text)
      const role = region.getAttribute('role')
      if (text) heard.push({ kind: 'live', live: role === 'alert' ? 'assertive' : 'polite', role, text })
    }
  }
  const observe = (root) =>
    new MutationObserver(record).observe(root, { childList: true, characterData: true, subtree: true })
  observe(document)
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options)
    observe(root)
    root.addEventListener('focusin', (event) => onFocus(event), true)
    return root
  }
  // If the focus moves within a shadow root, only that receives the event.
  const seen = new WeakSet()
  const onFocus = (event) => {
    if (!seen.has(event)) heard.push({ kind: 'focus', index: focused.push(event.composedPath()[0]) - 1 })
    seen.add(event)
  }
  addEventListener('focusin', onFocus, true)`
