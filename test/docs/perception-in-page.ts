/**
 * A script for the page of the accessibility checks, after `accessibility-in-page.ts`: what people perceive. Each function
 * returns the problems that it finds.
 */
export const perceptionInPage = String.raw`
Object.assign(window.inside, {
  isVisible(element) {
    return element.checkVisibility({ visibilityProperty: true }) && !element.closest('.announcement')
  },

  /** The controls in the shadow roots that are visible. */
  visible(selector) {
    return this.all().filter((element) => element.matches(selector) && this.isVisible(element))
  },

  /** The name of a control for assistive technology. */
  labelOf(element) {
    const root = element.getRootNode()
    const named = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => root.getElementById(id)?.textContent)
    const texts = [
      named.join(' '),
      element.getAttribute('aria-label'),
      [...(element.labels ?? [])].map((label) => this.wordsOf(label)).join(' '),
      element.matches('input, textarea, select') ? '' : element.textContent,
      root.host?.constructor.formAssociated && element.matches('input') ? root.host.internals?.labels[0]?.textContent : '',
    ]
    return (texts.find((text) => text?.trim()) ?? '').trim().replace(/\s+/g, ' ')
  },

  /** The text of a label without that of the fields in it. */
  wordsOf(label) {
    const copy = label.cloneNode(true)
    for (const field of copy.querySelectorAll('input, select, textarea')) field.remove()
    return copy.textContent
  },

  /** Blocks of text, except in controls, that are above the block before them, or beside it on the side where lines start. */
  sequence() {
    const isRightToLeft = document.documentElement.dir === 'rtl'
    const blockOf = (element) => {
      while (/^(?:inline|contents)/.test(getComputedStyle(element).display) && element.parentElement) element = element.parentElement
      return element
    }
    return this.roots().flatMap((root) => {
      const blocks = new Map()
      for (const element of this.withText().filter((element) => element.getRootNode() === root && !element.closest('dialog, button, a'))) {
        const block = blockOf(element)
        for (const text of [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim())) {
          const range = document.createRange()
          range.selectNodeContents(text)
          const { left, right, top, bottom } = range.getBoundingClientRect()
          const known = blocks.get(block) ?? { left, right, top, bottom }
          blocks.set(block, {
            left: Math.min(left, known.left), right: Math.max(right, known.right),
            top: Math.min(top, known.top), bottom: Math.max(bottom, known.bottom),
          })
        }
      }
      const entries = [...blocks]
      return entries.flatMap(([element, box], at) => {
        const [previous, before] = entries[at - 1] ?? []
        if (!before) return []
        // Another column may begin higher.
        const isBeside = isRightToLeft ? box.right <= before.left + 1 : box.left >= before.right - 1
        const isAbove = box.bottom <= before.top + 1 && !isBeside
        const common = Math.min(box.bottom, before.bottom) - Math.max(box.top, before.top)
        const isSameLine = common > Math.min(box.bottom - box.top, before.bottom - before.top) / 2
        const isBefore = isRightToLeft ? box.left >= before.right - 1 : box.right <= before.left + 1
        return isAbove || (isSameLine && isBefore) ? [this.name(element) + ' is before ' + this.name(previous) + ' on the screen'] : []
      })
    })
  },

  /** Graphics that are neither hidden from assistive technology nor named. */
  graphics() {
    return this.all()
      .filter((element) => element.matches('svg, img, [role=img], progress, meter'))
      .filter((element) => !element.closest('[aria-hidden=true]') && !this.labelOf(element) && !element.getAttribute('alt'))
      .map((element) => this.name(element) + ' has no text alternative')
  },

  /** References to elements that do not exist. */
  references() {
    const attributes = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-activedescendant', 'for', 'list']
    return this.all().filter((element) => this.isVisible(element)).flatMap((element) => attributes.flatMap((name) =>
      (element.getAttribute(name) ?? '').split(' ').filter(Boolean)
        .filter((id) => !element.getRootNode().getElementById(id) && !(name === 'aria-controls' && element.getAttribute('aria-expanded') === 'false'))
        .map((id) => this.name(element) + ' refers to ' + id + ' with ' + name)))
  },

  /** Controls, headings and groups without a label, and controls of one group with the same label. */
  labels() {
    const labelled = this.visible('button, a[href], input:not([type=file]), select, textarea, summary, h1, h2, h3, h4, h5, h6, fieldset, [role=group]')
    const wrong = labelled.filter((element) => element.localName !== 'fieldset' || element.hasAttribute('aria-labelledby'))
      .filter((element) => !/\p{L}{2}/u.test(this.labelOf(element)))
      .map((element) => this.name(element) + ' has no label')
    // Each item of a list and each row of fields names what its controls concern.
    const seen = new Map()
    const repeated = labelled.filter((element) => element.matches('button, input:not([type=radio]), select, textarea')).flatMap((element) => {
      const group = element.closest('li, [role=listitem], [part=comment], .label, fieldset, form') ?? element.getRootNode()
      const known = seen.get(group) ?? new Set()
      const label = this.labelOf(element)
      const isKnown = known.has(label)
      seen.set(group, known.add(label))
      return isKnown ? [this.name(element) + ' has the same label as another control'] : []
    })
    return [...wrong, ...repeated]
  },

  /** Controls whose name for assistive technology lacks the text that people see. */
  visibleLabels() {
    const words = (text) => text.toLowerCase().replace(/[…\s]+/g, ' ').trim()
    return this.visible('button, a[href], summary')
      .filter((element) => !words(this.labelOf(element)).includes(words(element.textContent)))
      .map((element) => this.name(element) + ' is not named as it shows')
  },

  /** Links that do not name their destination, and links of one name that lead to different addresses. */
  links() {
    const addresses = new Map(this.roots().map((root) => [root, new Map()]))
    return this.visible('a[href]').flatMap((link) => {
      const label = this.labelOf(link)
      const own = addresses.get(link.getRootNode())
      const known = own.get(label) ?? link.href
      own.set(label, known)
      const isVague = !/\p{L}{2}/u.test(label) || /^(?:here|click here|more|read more|link|this)$/i.test(label)
      return isVague || known !== link.href ? [this.name(link)] : []
    })
  },

  /** Controls with one function that have different names in different states or elements. */
  identification() {
    const names = { 'try-again': 'Try again', 'sign-in': 'Sign in' }
    return Object.entries(names).flatMap(([part, name]) =>
      this.visible('[part~=' + part + ']').filter((element) => this.labelOf(element) !== name).map((element) => this.name(element)))
  },

  /** Animations that change more than three times in a second. */
  flashes() {
    return this.roots().flatMap((root) => root.getAnimations()).flatMap((animation) => {
      const { duration, iterations } = animation.effect.getComputedTiming()
      return iterations > 3 && duration < 334 ? [this.name(animation.effect.target)] : []
    })
  },

  /** A color as red, green, blue and opacity from 0 to 255, over other colors from bottom to top. */
  pixel(...colors) {
    this.context ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    this.context.clearRect(0, 0, 1, 1)
    for (const color of colors) {
      this.context.fillStyle = color
      this.context.fillRect(0, 0, 1, 1)
    }
    return [...this.context.getImageData(0, 0, 1, 1).data]
  },

  /** The background colors at an element, from the page to the element or to what surrounds it. */
  backgrounds(element) {
    const colors = []
    for (let box = element; box; box = box.assignedSlot ?? box.parentElement ?? box.getRootNode().host) {
      colors.unshift(getComputedStyle(box).backgroundColor)
      if (box.matches('dialog[open]')) break
    }
    return colors
  },

  /** The contrast of a color with what is behind it. */
  contrast(color, behind) {
    const luminance = ([red, green, blue]) => {
      const [r, g, b] = [red, green, blue].map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const [a, b] = [this.pixel(...behind, color), this.pixel(...behind)].map(luminance)
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  },

  /** Borders of fields, marks, bars and focus rings whose contrast is too low. */
  faint() {
    const parent = (element) => element.parentElement ?? element.getRootNode().host
    const check = (element, what, color, behind) => {
      const ratio = this.contrast(color, behind)
      return ratio < 3 ? [this.name(element) + ': the ' + what + ' has a contrast of ' + ratio.toFixed(2)] : []
    }
    const fields = this.visible('input:not([type=checkbox], [type=radio], [type=file]), textarea, select')
      .filter((field) => !field.matches(':disabled'))
      .flatMap((field) => check(field, 'border', getComputedStyle(field).borderBlockEndColor, this.backgrounds(parent(field))))
    const marks = this.visible('svg')
      .filter((mark) => !mark.closest('[aria-disabled=true], :disabled'))
      .flatMap((mark) => check(mark, 'mark', getComputedStyle(mark).stroke, this.backgrounds(mark)))
    const bars = this.visible('progress')
      .flatMap((bar) => check(bar, 'bar', getComputedStyle(bar, '::-webkit-progress-value').backgroundColor, this.backgrounds(parent(bar))))
    const rings = this.visible('button, a[href], input:not([type=file]), textarea, select, summary')
      .filter((control) => !control.matches(':disabled'))
      .flatMap((control) => {
        control.focus({ preventScroll: true })
        const { outlineColor, outlineStyle } = getComputedStyle(control)
        return outlineStyle === 'none' ? [] : check(control, 'focus ring', outlineColor, this.backgrounds(parent(control)))
      })
    document.querySelector('#before').focus()
    return [...new Set([...fields, ...marks, ...bars, ...rings])]
  },

  /** Texts whose contrast is too low. */
  pale() {
    return this.withText().filter((element) => !element.closest('[aria-disabled=true], :disabled')).flatMap((element) => {
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      const size = parseFloat(fontSize)
      const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700)
      const ratio = this.contrast(color, this.backgrounds(element))
      return ratio < (isLarge ? 3 : 4.5) ? [this.name(element) + ' has a contrast of ' + ratio.toFixed(2)] : []
    })
  },

  /** What a color alone tells: colored things without a text or a shape, and shapes with several colors. */
  colored() {
    const isColored = (color) => {
      const [red, green, blue, opacity] = this.pixel(color)
      return opacity > 50 && Math.max(red, green, blue) - Math.min(red, green, blue) > 50
    }
    const wrong = this.all().filter((element) => this.isVisible(element) && !element.closest('svg')).flatMap((element) => {
      const { backgroundColor, borderInlineStartColor, borderInlineStartWidth, borderInlineStartStyle } = getComputedStyle(element)
      const hasBorder = parseFloat(borderInlineStartWidth) > 0 && borderInlineStartStyle !== 'none'
      const isMarked = isColored(backgroundColor) || (hasBorder && isColored(borderInlineStartColor))
      const isExplained = element.textContent.trim() || element.querySelector('svg, input') || element.matches('input, select, textarea, progress')
      return isMarked && !isExplained ? [this.name(element) + ' has nothing but a color'] : []
    })
    const shapes = this.roots().flatMap((root) => {
      const colors = new Map()
      return [...root.querySelectorAll('svg')].filter((mark) => this.isVisible(mark)).flatMap((mark) => {
        const { stroke, fill } = getComputedStyle(mark)
        const color = [stroke, getComputedStyle(mark.parentElement ?? root.host).backgroundColor].filter(isColored).join()
        const shape = mark.innerHTML.replace(/<!--.*?-->/g, '')
        const known = colors.get(shape) ?? color
        colors.set(shape, known)
        return known === color ? [] : ['a shape has the colors ' + known + ' and ' + color]
      })
    })
    return [...wrong, ...shapes]
  },
})
`
