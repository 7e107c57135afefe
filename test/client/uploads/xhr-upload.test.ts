import { expect } from '@open-wc/testing'
import { xhrUpload } from '../../../src/client/uploads/xhr-upload.ts'

describe('xhrUpload() @engines', () => {
  it('resolves with the body and with the headers that the client reads', async () => {
    const headers = {
      'content-type': 'application/json',
      'retry-after': '7',
      'x-routeslip': '1',
      'x-routeslip-event': '8-1',
      'x-routeslip-person': '10000001',
    }
    const { response } = upload(['load'], { ...headers, 'x-other': 'y' })
    expect(Object.fromEntries((await response).headers)).to.deep.equal(headers)
    expect(await (await response).json()).to.deep.equal({ id: 42 })
  })

  it('sets no header that the response does not have', async () => {
    const { response } = upload(['load'], { 'content-type': 'application/json' })
    expect(Object.fromEntries((await response).headers)).to.deep.equal({ 'content-type': 'application/json' })
  })

  it('rejects with a TypeError if the connection fails', async () => {
    const failure: unknown = await upload(['error']).response.catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(TypeError).with.property('message', 'The connection failed')
  })

  it('aborts the request with its signal, but not after its end', async () => {
    const open = upload([])
    open.abort.abort()
    expect(open.aborts(), 'control').to.equal(1)

    const ended = upload(['load', 'loadend'])
    await ended.response
    ended.abort.abort()
    expect(ended.aborts()).to.equal(0)
  })
})

/** Starts an upload to a server that is played: the request fires these events and has these response headers. */
function upload(events: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const { send } = XMLHttpRequest.prototype
  const abort = new AbortController()
  let aborts = 0
  XMLHttpRequest.prototype.send = function () {
    Object.defineProperties(this, { status: { value: 200 }, responseText: { value: '{"id":42}' } })
    this.getResponseHeader = (name) => headers[name] ?? null
    this.abort = () => void aborts++
    // The events follow each other at once, as in a browser: what waits for the response runs after the last one.
    queueMicrotask(() => {
      this.upload.dispatchEvent(new ProgressEvent('loadstart'))
      for (const type of events) this.dispatchEvent(new ProgressEvent(type))
    })
  }
  try {
    const response = xhrUpload({
      url: location.href,
      headers: {},
      body: new FormData(),
      signal: abort.signal,
    })
    return { response, abort, aborts: () => aborts }
  } finally {
    XMLHttpRequest.prototype.send = send
  }
}
