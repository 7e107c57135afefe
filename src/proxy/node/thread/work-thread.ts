// The module that runs in the work thread: does one piece of heavy work after another.
import { parentPort } from 'node:worker_threads'
import { sanitizeHtml } from '../../validation/html.ts'
import type { Log } from '../../observe/log.ts'
import { ProxyError } from '../../http/problem.ts'
import type { Json } from '../../http/reply.ts'
import { readServiceResponse } from '../../validation/service-response.ts'
import { readValidBody } from '../../validation/valid-body.ts'
import { buffersIn, refusalOf, type WorkOrder, type WorkOutcome, type WorkReport } from './work-messages.ts'

if (!parentPort) throw new Error('This module runs only in a thread. Import `nodeRuntime` instead')
const port = parentPort

async function carryOut(order: WorkOrder, log: Log): Promise<unknown> {
  switch (order.task) {
    case 'readBody': {
      const { json, value } = await readValidBody(order.input)
      return { json: bytesOf(json), value }
    }
    case 'sanitizeHtml':
      return sanitizeHtml(order.input)
    case 'readResponse':
      return await readServiceResponse(order.input.bytes, order.input.facts, log)
    case 'readJson': {
      const value = await readServiceResponse(order.input.bytes, order.input.facts, log)
      return bytesOf(JSON.stringify(value))
    }
  }
}

function bytesOf(json: Json): Uint8Array<ArrayBuffer> {
  return typeof json === 'string' ? new TextEncoder().encode(json) : json
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
    // Handed over instead of copied.
    report(outcome, 'value' in outcome.result ? buffersIn(outcome.result.value) : [])
  })
})
report('ready')
