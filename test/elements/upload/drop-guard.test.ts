import { expect } from '@open-wc/testing'
import { guardDrops } from '../../../src/elements/upload/drop-guard.ts'

/** Drags or drops files or a text over an element. Returns whether the browser must not handle that. */
function drag(target: Element, type: 'dragover' | 'drop' = 'drop', content: 'files' | 'text' = 'files') {
  const dataTransfer = new DataTransfer()
  if (content === 'files') dataTransfer.items.add(new File(['x'], 'a.pdf'))
  else dataTransfer.setData('text/plain', 'x')
  const event = new DragEvent(type, { dataTransfer, bubbles: true, composed: true, cancelable: true })
  target.dispatchEvent(event)
  return event.defaultPrevented
}

describe('guardDrops() @engines', () => {
  let release = (): void => {}
  beforeEach(() => (release = guardDrops()))
  afterEach(() => release())

  it('keeps the page when files are dropped or dragged beside a drop zone', () => {
    expect(drag(document.body)).to.equal(true)
    expect(drag(document.body, 'dragover')).to.equal(true)
  })

  it('leaves texts and links to the browser', () => {
    expect(drag(document.body, 'drop', 'text')).to.equal(false)
    const event = new DragEvent('drop', { bubbles: true, cancelable: true })
    document.body.dispatchEvent(event)
    expect(event.defaultPrevented).to.equal(false)
  })

  it('leaves files to file inputs of the page, and only to these', () => {
    for (const [type, isRefused] of [
      ['file', false],
      ['text', true],
    ] as const) {
      const input = Object.assign(document.createElement('input'), { type })
      const host = document.createElement('div')
      host.attachShadow({ mode: 'open' }).append(input)
      document.body.append(host)
      expect(drag(input), type).to.equal(isRefused)
      host.remove()
    }
  })

  it('ends with the last guard, however often each is released', () => {
    const other = guardDrops()
    other()
    other()
    expect(drag(document.body)).to.equal(true)
    release()
    expect(drag(document.body)).to.equal(false)
    expect(drag(document.body, 'dragover')).to.equal(false)
  })
})
