// What is wrong with the geometry of the elements in a page.

/** Pixels by which browsers may round. */
export const tolerance = 1

/** Returns what overflows, overlaps or is too small to press. */
export function flawsOf(page: Element): string[] {
  const flaws: string[] = []
  for (const host of [...page.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot)) {
    const tag = host.localName
    const all = [...host.shadowRoot!.querySelectorAll<HTMLElement>('*')].filter((one) =>
      one.checkVisibility(),
    )
    for (const one of all) {
      const box = one.getBoundingClientRect()
      const { right, left } = (one.closest('dialog') ?? host).getBoundingClientRect()
      const isHidden = one.closest('.announcement, [role=status], input[type=file]')
      if (!isHidden && (box.right > right + tolerance || box.left < left - tolerance || isCut(one)))
        flaws.push(`${tag}: ${describeBox(one)} is wider`)
      if (one.matches('button, a.button, summary') && (box.height < 24 || box.width < 24))
        flaws.push(`${tag}: ${describeBox(one)} is a small target`)
    }
    flaws.push(...[...overlapsOf(all), ...touchesOf(all)].map((flaw) => `${tag}: ${flaw}`))
  }
  return flaws
}

/** Whether the text of an element is wider than it, or it hides what is wider. */
function isCut(one: HTMLElement): boolean {
  const { display, overflowX, whiteSpace, fontSize } = getComputedStyle(one)
  const mayCut = one.childElementCount === 0 || overflowX !== 'visible'
  // Firefox counts the invisible space at which a line from right to left breaks.
  const space = whiteSpace === 'pre-wrap' ? Number.parseFloat(fontSize) / 2 : 0
  const limit = one.clientWidth + tolerance + space
  return mayCut && display !== 'inline' && one.clientWidth > 0 && one.scrollWidth > limit
}

/** Compares the lines of text and the controls that contain no others. */
function overlapsOf(all: readonly HTMLElement[]): string[] {
  const leaves = all.filter(
    (one) =>
      one.matches('button, a, dt, p, strong, .time, .detail, time, summary') &&
      !one.closest('.announcement, [role=status]') &&
      one.textContent.trim() !== '',
  )
  const flaws = new Set<string>()
  const lines = leaves
    // A dialog covers the page.
    .flatMap((one) => [...one.getClientRects()].map((box) => ({ one, box, dialog: one.closest('dialog') })))
    .sort((a, b) => a.box.top - b.box.top)
  lines.forEach(({ one, box: a, dialog }, at) => {
    for (let next = at + 1; lines[next] && lines[next]!.box.top < a.bottom - 4; next++) {
      const { one: other, box: b, dialog: otherDialog } = lines[next]!
      if (dialog !== otherDialog || one.contains(other) || other.contains(one)) continue
      const isOverlap =
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > tolerance &&
        Math.min(a.bottom, b.bottom) - b.top > 4
      if (isOverlap) flaws.add(`${describeBox(one)} overlaps ${describeBox(other)}`)
    }
  })
  return [...flaws]
}

/** Compares the controls that have visible borders. Without a space between them, they look like one. */
function touchesOf(all: readonly HTMLElement[]): string[] {
  const controls = all
    .filter((one) => one.matches('button, a.button, summary') && hasBorder(one))
    .map((one) => ({ one, box: one.getBoundingClientRect(), dialog: one.closest('dialog') }))
    .sort((a, b) => a.box.left - b.box.left)
  return controls.flatMap(({ one, box: a, dialog }, at) =>
    controls
      .slice(at + 1)
      .filter(({ box: b, dialog: other }) => {
        const isInRow = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > tolerance
        return dialog === other && isInRow && b.left - a.right < tolerance
      })
      .map(({ one: next }) => `${describeBox(one)} touches ${describeBox(next)}`),
  )
}

function hasBorder(one: HTMLElement): boolean {
  const { borderInlineEndWidth: width, borderInlineEndColor: color } = getComputedStyle(one)
  return Number.parseFloat(width) > 0 && !/^transparent$|^rgba\(.*, 0\)$/.test(color)
}

/** Returns what matches in the shadow roots of a page. */
export function partsOf(page: Element, selector: string): HTMLElement[] {
  return [...page.querySelectorAll('*')].flatMap(({ shadowRoot }) => [
    ...(shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
  ])
}

export function describeBox(one: HTMLElement): string {
  const name = one.getAttribute('part') ?? one.getAttribute('class') ?? ''
  return `<${one.localName} ${name}> "${one.textContent.replace(/\s+/g, ' ').trim().slice(0, 30)}"`
}
