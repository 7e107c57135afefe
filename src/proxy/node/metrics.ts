import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics } from '../metrics.ts'

/** Creates metrics in the text format of Prometheus, with those of the process. Each has a registry of its own. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    name: 'routeslip_requests_total',
    help: 'Requests that have been answered.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'routeslip_request_seconds',
    help: 'Time until a request was answered, in seconds.',
    labelNames: ['operation'],
    registers,
  })
  const calls = new Counter({
    name: 'routeslip_service_calls_total',
    help: 'Calls of the services. The status is "none" where there was no answer.',
    labelNames: ['service', 'operation', 'status'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'routeslip_service_call_seconds',
    help: 'Time until a service had answered, in seconds.',
    labelNames: ['service', 'operation'],
    registers,
  })
  const events = new Counter({
    name: 'routeslip_events_total',
    help: 'Other things that have happened.',
    labelNames: ['event'],
    registers,
  })
  const streams = new Gauge({
    name: 'routeslip_streams',
    help: 'Streams of live events that are open.',
    registers,
  })

  const requestOf = remember((operation, status) => ({
    total: requests.labels(operation, status),
    seconds: requestSeconds.labels(operation),
  }))
  const callOf = remember((service, operation, status) => ({
    total: calls.labels(service, operation, status),
    seconds: callSeconds.labels(service, operation),
  }))
  const eventOf = remember((event) => events.labels(event))

  return {
    request(operation, status, seconds) {
      const child = requestOf(operation, String(status))
      child.total.inc()
      child.seconds.observe(seconds)
    },
    call(service, operation, status, seconds) {
      const child = callOf(service, operation, String(status))
      child.total.inc()
      child.seconds.observe(seconds)
    },
    count: (event) => eventOf(event).inc(),
    streams: (open) => streams.set(open),
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
}

/** Makes what belongs to a set of labels once: finding it again costs a fraction. */
function remember<Labels extends readonly string[], T>(
  make: (...labels: Labels) => T,
): (...labels: Labels) => T {
  const made = new Map<string, T>()
  return (...labels) => {
    const key = labels.join(' ')
    let child = made.get(key)
    if (child === undefined) {
      child = make(...labels)
      made.set(key, child)
    }
    return child
  }
}
