// The module that runs in the work thread: does one piece of heavy work after another.
import { parentPort } from 'node:worker_threads'
import { parseBodyText } from '../heavy-work.ts'
import { sanitizeHtml } from '../html.ts'
import type { Log } from '../log.ts'
import { ProxyError } from '../problem.ts'
import { readServiceResponse } from '../upstream/service-response.ts'
import { refusalOf, type WorkOrder, type WorkOutcome, type WorkReport } from './work-messages.ts'

if (!parentPort) throw new Error('This module runs only in a thread. Import `nodeRuntime` instead')
const port = parentPort

async function carryOut(order: WorkOrder, log: Log): Promise<unknown> {
  switch (order.task) {
    case 'parseBody':
      return parseBodyText(order.input)
    case 'sanitizeHtml':
      return sanitizeHtml(order.input)
    case 'readResponse':
      return await readServiceResponse(order.input.text, order.input.facts, log)
    case 'readJson': {
      const value = await readServiceResponse(order.input.text, order.input.facts, log)
      return new TextEncoder().encode(JSON.stringify(value))
    }
  }
}

async function outcomeOf(order: WorkOrder): Promise<WorkOutcome> {
  const logged: Parameters<Log>[] = []
  const log: Log = (...entry) => void logged.push(entry)
  try {
    return { result: { value: await carryOut(order, log) }, logged }
  } catch (error) {
    const result = error instanceof ProxyError ? { refusal: refusalOf(error) } : { error: String(error) }
    return { result, logged }
  }
}

const report = (message: WorkReport, bytes: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, [...bytes])

port.on('message', (order: WorkOrder) => {
  void outcomeOf(order).then((outcome) => {
    const value = 'value' in outcome.result ? outcome.result.value : undefined
    // Handed over instead of copied.
    report(outcome, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
  })
})
report('ready')
