import { expect } from '@open-wc/testing'
import fc from 'fast-check'
import { createEventReader } from '../../../src/client/live/event-reader.ts'

describe('createEventReader()', () => {
  it('returns fields by name, joins data lines and omits comments', () => {
    expect(read('retry: 3000\n: hello\nid: 7\n\nevent:change\ndata: {"a"\ndata::1}\nid\n\n')).to.deep.equal([
      { retry: '3000', '': 'hello', id: '7' },
      { event: 'change', data: '{"a"\n:1}', id: '' },
    ])
  })

  it('removes only one space after the colon', () => {
    expect(read('data:  x \n\n')).to.deep.equal([{ data: ' x ' }])
  })

  it('drops incomplete events', () => {
    expect(read('data: x\n')).to.deep.equal([])
    expect(read('data: x\n\ndata: y')).to.deep.equal([{ data: 'x' }])
  })

  it('accepts any line end and reports an event as soon as it is complete', () => {
    for (const end of ['\n', '\r', '\r\n']) {
      expect(read(`data: x${end}${end}`)).to.deep.equal([{ data: 'x' }])
      expect(read(`data: x${end}data: y${end}${end}${end}`), 'an empty event, too').to.deep.equal([
        { data: 'x\ny' },
        {},
      ])
    }
  })

  it('returns the events of the standard for any chunks @engines', () => {
    const word = fc.constantFrom('data', 'event', 'id', 'retry', ': ', ':', ' ', 'é€𝄞', '\ufeff', 'x', '\0')
    const end = fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n')
    const text = fc.array(fc.oneof(word, end), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat(9)).map((sizes) => [...sizes, 1]),
        (whole, sizes) => {
          const bytes = new TextEncoder().encode(whole)
          const chunks: Uint8Array[] = []
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1
            chunks.push(bytes.slice(at, at + size))
            at += size
          }
          expect(readBytes(chunks)).to.deep.equal(eventsOf(bytes))
        },
      ),
      { numRuns: 3000 },
    )
  })
})

/** Parses a whole stream as the standard describes it. */
function eventsOf(bytes: Uint8Array): object[] {
  const lines = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
  const events: Record<string, string>[] = [{}]
  for (const line of lines.slice(0, -1)) {
    const event = events.at(-1) ?? {}
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (line === '') events.push({})
    else if (name === 'data' && event[name] !== undefined) event[name] += `\n${value}`
    else event[name] = value
  }
  return events.slice(0, -1)
}

function read(text: string): object[] {
  return readBytes([new TextEncoder().encode(text)])
}

function readBytes(chunks: readonly Uint8Array[]): object[] {
  const events: object[] = []
  const take = createEventReader((event) => events.push(Object.fromEntries(event)))
  chunks.forEach(take)
  return events
}
