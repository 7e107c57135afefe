// Looks at a page for the checks in expected.json. Each run evaluates this script in its page before the page's own scripts.
;(() => {
  /** Calls `visit` with each text that is visible, in the order of the screen, with shadow roots and slots. */
  function walk(node, visit) {
    if (node.nodeType === Node.TEXT_NODE) return visit(node.data)
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (/^(?:script|style|template)$/.test(node.localName)) return
      if (!node.checkVisibility() && getComputedStyle(node).display !== 'contents') return
    }
    const assigned = node.localName === 'slot' ? node.assignedNodes() : []
    const nodes = assigned.length > 0 ? assigned : (node.shadowRoot ?? node).childNodes
    for (const child of nodes) walk(child, visit)
  }

  function textOf(...nodes) {
    const texts = []
    for (const node of nodes) walk(node, (text) => texts.push(text))
    return texts.join(' ').replace(/\s+/g, ' ')
  }

  /** The text of the elements themselves, without what the page has put into them. */
  function says() {
    const texts = []
    for (const element of document.querySelectorAll('wf-form')) {
      if (!element.shadowRoot) continue
      for (const child of element.shadowRoot.children) {
        if (child.localName === 'slot') continue
        const copy = []
        const visit = (node) => {
          if (node.localName === 'slot' && node.assignedNodes().length > 0) return
          if (node.nodeType === Node.TEXT_NODE) copy.push(node.data)
          else if (/^(?:script|style|template)$/.test(node.localName ?? '')) return
          else if (node.nodeType !== Node.ELEMENT_NODE || isShown(node))
            for (const child of (node.shadowRoot ?? node).childNodes) visit(child)
        }
        visit(child)
        texts.push(copy.join(' '))
      }
    }
    return texts.join(' ').replace(/\s+/g, ' ')
  }

  function isShown(element) {
    return element.checkVisibility() || getComputedStyle(element).display === 'contents'
  }

  function isVisible(element) {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
  }

  /** Whether nothing is in front of the centre or a corner of an element. */
  function isUncovered(element) {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 4, top + 4],
      [right - 4, bottom - 4],
    ]
    return points.every(([x, y]) => {
      const found = document.elementFromPoint(x, y)
      return found !== null && element.contains(found)
    })
  }

  /** Whether the second element stands directly after the first, in the same line. */
  function areTouching(first, second) {
    const [a, b] = [first.getBoundingClientRect(), second.getBoundingClientRect()]
    return Math.abs(b.left - a.right) <= 1.5 && b.top < a.bottom && a.top < b.bottom
  }

  let last = 0
  const collected = new Map()

  /** Starts to read everything that the page has stored. `collected` has the text later, under the returned number. */
  function collect() {
    const number = ++last
    read().then(
      (text) => collected.set(number, text),
      (error) => collected.set(number, `Error: ${error}`),
    )
    return number
  }

  async function read() {
    const all = [{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]
    for (const { name } of (await indexedDB.databases?.()) ?? []) all.push(...(await readDatabase(name)))
    for (const name of (await globalThis.caches?.keys()) ?? []) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) all.push(await (await cache.match(request)).text())
    }
    return JSON.stringify(all)
  }

  async function readDatabase(name) {
    const database = await done(indexedDB.open(name))
    const all = []
    for (const store of database.objectStoreNames) {
      const reads = database.transaction(store).objectStore(store)
      all.push(await done(reads.getAllKeys()), await done(reads.getAll()))
    }
    database.close()
    return all
  }

  function done(request) {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  }

  /** Whether the page would ask before it is left. */
  function asksToStay() {
    const event = new Event('beforeunload', { cancelable: true })
    dispatchEvent(event)
    return event.defaultPrevented
  }

  globalThis.inPage = { textOf, says, isVisible, isUncovered, areTouching, collect, collected, asksToStay }
})()
