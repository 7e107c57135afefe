import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEventReader } from '../../../src/client/live/event-reader.ts'

describe('createEventReader()', () => {
  it('takes CR and LF for one line end even if an empty chunk is between them', () => {
    const events: object[] = []
    const read = createEventReader((event) => events.push(Object.fromEntries(event)))
    for (const chunk of ['data: x\r', '', '\n\r', '', '\ndata: y\r\n\r\n'])
      read(new TextEncoder().encode(chunk))
    assert.deepEqual(events, [{ data: 'x' }, { data: 'y' }])
  })
})
