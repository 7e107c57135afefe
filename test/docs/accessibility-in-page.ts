/**
 * A script for the page of the accessibility checks: `inside` inspects the open shadow roots of all elements named `tag`.
 * `<x-broken>` fails every check, as a control.
 */
export const inPage = String.raw`
const visuallyHidden = '.announcement'
const controlled = 'button, a[href], input, select, textarea, summary, [tabindex]:not([tabindex="-1"])'

window.inside = {
  announced: [],

  roots() {
    return [...document.querySelectorAll(window.tag)].map((host) => host.shadowRoot).filter(Boolean)
  },

  all() {
    return this.roots().flatMap((root) => [...root.querySelectorAll('*')])
  },

  isSettled() {
    const hosts = [...document.querySelectorAll(window.tag)]
    return hosts.length > 0 && hosts.every((host) =>
      host.shadowRoot && (host.matches('[data-loads]') || !host.matches(':state(loading)')))
  },

  /** Elements that directly contain visible text. */
  withText() {
    return this.all().filter((element) =>
      element.localName !== 'style' &&
      [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
      element.checkVisibility({ visibilityProperty: true }) && !element.closest(visuallyHidden))
  },

  texts() {
    return this.withText().map((element) => element.textContent.trim()).join(' | ')
  },

  /** Countdowns stand still from now on. */
  stopTime() {
    const now = performance.now()
    performance.now = () => now
  },

  goOn() {
    delete performance.now
  },

  sizeOf(element) {
    return parseFloat(getComputedStyle(element).fontSize)
  },

  /** Records the font size of each text. */
  measure() {
    this.sizes = new Map(this.withText().map((element) => [element, this.sizeOf(element)]))
  },

  /** Texts that are less than twice as large as recorded. */
  small() {
    return this.withText()
      .filter((element) => this.sizeOf(element) < this.sizes.get(element) * 1.99)
      .map((element) => this.name(element) + ' has ' + this.sizeOf(element) + ' px instead of ' + this.sizes.get(element))
  },

  languages() {
    return this.roots().map((root) => (root.querySelector('[lang]') ?? {}).lang)
  },

  images() {
    return this.all().flatMap((element) => {
      const isImage = /^(img|picture|canvas|video|audio|object|embed|iframe)$/.test(element.localName)
      const isText = element.localName === 'text'
      return isImage || isText || getComputedStyle(element).backgroundImage.includes('url(') ? [this.name(element)] : []
    })
  },

  /** Animations that last longer than five seconds, except in elements that are loading. With reduced motion, includes those too. */
  motion(isReduced) {
    return this.roots().flatMap((root) => root.getAnimations().flatMap((animation) => {
      const isLoading = root.host.matches('[data-loads]') && !isReduced
      const isEndless = animation.effect.getComputedTiming().endTime > 5000
      return isEndless && !isLoading ? [this.name(animation.effect.target)] : []
    }))
  },

  /** Text that is cut off, and content that overflows the page. */
  clipped() {
    const { scrollWidth } = document.documentElement
    const problems = scrollWidth > innerWidth ? ['the page is ' + scrollWidth + ' px wide'] : []
    for (const element of this.withText()) {
      const range = document.createRange()
      range.selectNodeContents(element)
      const text = range.getBoundingClientRect()
      for (let box = element; box; box = box.parentElement) {
        const style = getComputedStyle(box)
        const cuts = (overflow) => overflow === 'hidden' || overflow === 'clip'
        const rect = box.getBoundingClientRect()
        if (style.display === 'inline' || style.display === 'contents') continue
        const isCut =
          (cuts(style.overflowX) && (text.left < rect.left - 1 || text.right > rect.right + 1)) ||
          (cuts(style.overflowY) && (text.top < rect.top - 1 || text.bottom > rect.bottom + 1))
        if (isCut) problems.push(this.name(element) + ' is cut off')
      }
    }
    return problems
  },

  /** Applies the text spacing of criterion 1.4.12. */
  space() {
    const css = '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } ' +
      'p { margin-block-end: 2em !important }'
    for (const root of [document, ...this.roots()]) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      root.adoptedStyleSheets.push(sheet)
    }
  },

  name(element) {
    const text = (element.getAttribute('aria-label') ?? element.textContent).trim().replace(/\s+/g, ' ').slice(0, 40)
    return element.localName + (text ? ' "' + text + '"' : '')
  },

  active() {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    return active
  },

  focused() {
    return this.name(this.active())
  },

  /** Finds the visible controls and records the state of the page. Returns the names of the controls. */
  begin() {
    this.controls = this.all().filter((element) =>
      // The button of a combobox is not in the order of Tab, because the arrow keys do the same.
      element.matches(controlled) && !element.matches(':disabled, [tabindex="-1"][aria-controls]') && element.checkVisibility({ visibilityProperty: true }))
    this.start = { url: location.href, dialogs: this.dialogs() }
    return this.controls.map((element) => this.name(element))
  },

  dialogs() {
    return this.all().filter((element) => element.matches('dialog[open]')).length
  },

  step() {
    const active = this.active()
    const { outlineStyle, outlineWidth } = getComputedStyle(active)
    const rect = active.getBoundingClientRect()
    const x = rect.left + rect.width / 2
    const y = rect.top + rect.height / 2
    let above = document.elementFromPoint(x, y)
    while (above?.shadowRoot?.elementFromPoint(x, y) && above.shadowRoot.elementFromPoint(x, y) !== above)
      above = above.shadowRoot.elementFromPoint(x, y)
    return {
      index: this.controls.indexOf(active),
      name: this.name(active),
      hasOutline: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
      isObscured: !above || !(active.contains(above) || above.contains(active)),
      isAtEnd: active.id === 'after',
      isChanged: location.href !== this.start.url || this.dialogs() > this.start.dialogs,
    }
  },

  /** Clickable elements that are not native controls. Browsers do not make them operable by keyboard. */
  unnatural() {
    return this.all()
      .filter((element) => element.matches('[tabindex="0"], [role=button], [role=link], [role=checkbox], [onclick]') &&
        !element.matches('button, a[href], input, select, textarea, summary'))
      .map((element) => this.name(element) + ' is not a native control')
  },

  centre(index) {
    const control = this.controls[index]
    control.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = control.getBoundingClientRect()
    return [left + width / 2, top + height / 2]
  },

  /** The state of the page: its URL, and the number of open elements and of checked boxes. */
  snapshot() {
    const open = this.all().filter((element) => element.matches('[open]')).length
    return [location.href, open, this.all().filter(({ checked }) => checked).length].join(' ')
  },

  /** All visible elements with text of their own, by name. */
  shown() {
    return this.withText().map((element) => this.name(element)).join()
  },

  /** What tells the buttons that open different dialogs apart. */
  opener({ dataset, part, className }) {
    return dataset.action || String(part) || className
  },

  /** The buttons that open dialogs, one for each dialog. */
  openers(selector) {
    return [...new Set(this.all().filter((element) => element.matches(selector)).map((element) => this.opener(element)))]
  },

  press(selector, opener) {
    this.all().find((element) => element.matches(selector) && this.opener(element) === opener).click()
  },

  kind(index) {
    const { localName, type } = this.controls[index]
    return localName === 'textarea' || (localName === 'input' && /^(text|search|checkbox)$/.test(type)) ? type : ''
  },

  focus(index) {
    this.controls[index].focus()
  },

  /** Records the texts of the status region from now on, whichever element has it. */
  listen() {
    let last = ''
    const record = () => {
      const texts = this.roots().map((root) => root.querySelector('[role=status]')?.textContent.trim())
      const text = texts.filter(Boolean).join(' ')
      if (text && text !== last) this.announced.push(text)
      last = text
    }
    for (const root of this.roots())
      new MutationObserver(record).observe(root, { childList: true, characterData: true, subtree: true })
  },
}

customElements.define('x-broken', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' })
    root.innerHTML = '<style>:focus { outline: none } @keyframes turn { to { rotate: 1turn } }' +
      ' .turn { display: inline-block; animation: turn 1s infinite } .small { width: 9px; height: 9px; padding: 0 }' +
      ' .cut { width: 3em; height: 1em; overflow: hidden; white-space: nowrap } .wide { width: 500px; font-size: 20px }' +
      ' .pale { color: #aaa; background: #fff } .under { position: relative; display: inline-block }' +
      ' .cover { position: absolute; inset: 0; background: #000 } .reversed { display: flex; flex-direction: row-reverse }' +
      ' .flash { animation: turn .1s infinite } .dot { display: inline-block; width: 9px; height: 9px; background: red }' +
      ' .pale-field { border: 1px solid #ddd } .hint { display: none } .hinted:hover + .hint { display: block }</style>' +
      '<p class="wide">Wide</p><p class="cut">A text that is much too long</p><p class="pale" lang="xx-nonsense">Pale</p>' +
      '<img src="data:,"><span role="img"></span><span class="turn">Turns</span>' +
      '<button class="small"></button><button class="small" tabindex="3">x</button><input>' +
      '<span class="under"><button>Covered</button><i class="cover"></i></span>' +
      '<a href="#" tabindex="2">Opens</a><span role="button" tabindex="0">No button</span><button id="trap">Trap</button>' +
      '<p class="reversed"><b>First</b><b>Second</b></p><i class="flash">Flashes</i><i class="dot"></i><svg><path d=""/></svg>' +
      '<input class="pale-field" aria-label="Pale" aria-describedby="nothing"><button aria-label="Stop">Go</button>' +
      '<a href="#one">here</a><button part="try-again">Repeat</button>' +
      '<button class="hinted">Hinted</button><p class="hint">A hint</p><dialog>A dialog</dialog>'
    const find = (selector) => root.querySelector(selector)
    find('a').onfocus = () => find('dialog').setAttribute('open', '')
    find('#trap').onkeydown = (event) => event.preventDefault()
    find('#trap').onmousedown = () => find('dialog').toggleAttribute('open')
    find('input').oninput = () => find('#trap').focus()
  }
})
`
