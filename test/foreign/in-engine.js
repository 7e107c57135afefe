// What Playwright does in Chromium, for engines that it cannot drive unpatched: finds elements by its selectors, aims at them, answers
// questions, and collects messages and errors. The page evaluates this script before its own.
;(() => {
  let notes = { messages: [], errors: [], asked: 0 }
  let isCrashing = false

  addEventListener('error', ({ error, message }) => notes.errors.push(String(error ?? message)))
  addEventListener('unhandledrejection', ({ reason }) => notes.errors.push(String(reason)))
  for (const level of ['debug', 'error', 'info', 'log', 'warn']) {
    const write = console[level]
    console[level] = (...values) => {
      notes.messages.push(values.map(String).join(' '))
      write.apply(console, values)
    }
  }
  for (const type of ['beforeunload', 'freeze', 'pagehide', 'unload', 'visibilitychange'])
    addEventListener(type, (event) => isCrashing && event.stopImmediatePropagation(), true)

  /** Answers the questions of the page from now on. */
  function answer(isYes) {
    const ask = (response) => () => (notes.asked++, response)
    Object.assign(globalThis, { alert: ask(undefined), confirm: ask(isYes), prompt: ask(isYes ? '' : null) })
  }
  answer(true)

  /** Returns what has been collected since the last time. */
  function drain() {
    const drained = notes
    notes = { messages: [], errors: [], asked: 0 }
    return drained
  }

  /** The first element of a selector of CSS, also in shadow roots. `>> text=/…/i` selects by the text. */
  function find(selector) {
    const [css, text] = selector.split(' >> text=')
    const [, source, flags] = /^\/(.+)\/(i?)$/.exec(text ?? '') ?? []
    const pattern = source && new RegExp(source, flags)
    const all = [...findAll(document, css)]
    return all.find((one) => !pattern || pattern.test(one.textContent.replace(/\s+/g, ' ').trim())) ?? null
  }

  function* findAll(root, css) {
    yield* root.querySelectorAll(css)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) yield* findAll(shadowRoot, css)
    // A part of the selector may be outside of the shadow root.
    const [host, ...inner] = css.split(' ')
    if (inner.length === 0) return
    for (const { shadowRoot } of root.querySelectorAll(host))
      if (shadowRoot) yield* shadowRoot.querySelectorAll(inner.join(' '))
  }

  function canBeUsed(selector) {
    const element = find(selector)
    return element !== null && inPage.isVisible(element) && !element.matches(':disabled')
  }

  /** Returns where to click on an element, or null as long as nobody could. */
  function aim(selector) {
    const element = find(selector)
    if (!canBeUsed(selector)) return null
    const { left, top, width, height } = element.getBoundingClientRect()
    const point = [left + width / 2, top + height / 2]
    let hit = document.elementFromPoint(...point)
    for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(...point)) && inner !== hit;) hit = inner
    while (hit && hit !== element) hit = hit.parentNode ?? hit.host
    if (hit) return point
    element.scrollIntoView({ block: 'center' })
    return null
  }

  /** Gives an element the focus. With `isReplacing`, what is typed next replaces its content. Returns whether it could be used. */
  function enter(selector, isReplacing) {
    const element = find(selector)
    if (!canBeUsed(selector) || element.readOnly) return false
    element.focus()
    if (!isReplacing) return true
    if (element.select) element.select()
    else getSelection().selectAllChildren(element)
    return true
  }

  /** Sets a date, options or files, as their part of the browser does. Returns whether the element could be used. */
  function choose(selector, value) {
    const element = find(selector)
    if (!element || element.matches(':disabled')) return false
    if (typeof value === 'string') setterOf(element, 'value').call(element, value)
    else if (Array.isArray(value)) {
      for (const option of element.options) option.selected = value.includes(option.value)
    } else {
      const files = new DataTransfer()
      files.items.add(new File(['%PDF-1.7 content'], value.name, { type: value.type }))
      setterOf(element, 'files').call(element, files.files)
    }
    for (const type of ['input', 'change']) element.dispatchEvent(new InputEvent(type, { bubbles: true }))
    return true
  }

  function setterOf(element, property) {
    return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), property).set
  }

  /** From now on, the page learns nothing of its end. A new tab has no storage of its session. */
  function crash() {
    isCrashing = true
    sessionStorage.clear()
  }

  globalThis.inEngine = { answer, drain, find, canBeUsed, aim, enter, choose, crash }
})()
