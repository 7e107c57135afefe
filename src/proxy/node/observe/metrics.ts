import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { Metrics } from '../../observe/metrics.ts'
import { createDurations } from './durations.ts'

/** Creates metrics in the text format of Prometheus, including those of the process. Each call has its own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = createDurations({
    counter: 'routeslip_requests_total',
    counted: 'Number of requests with a response.',
    histogram: 'routeslip_request_seconds',
    measured: 'Time until the response to a request, in seconds.',
  })
  const calls = createDurations({
    counter: 'routeslip_service_calls_total',
    counted: 'Number of calls to the services. The status is "none" if there was no response.',
    histogram: 'routeslip_service_call_seconds',
    measured: 'Time until the response of a service, in seconds.',
  })
  const events = new Counter({
    name: 'routeslip_events_total',
    help: 'Number of other events.',
    labelNames: ['event'],
    registers,
  })
  const refusals = new Counter({
    name: 'routeslip_refusals_total',
    help: 'Number of requests that were refused before rights were decided, by cause.',
    labelNames: ['cause'],
    registers,
  })
  const streams = new Gauge({
    name: 'routeslip_streams',
    help: 'Number of open live event streams.',
    registers,
  })
  const openLocks = new Gauge({
    name: 'routeslip_open_locks',
    help: 'Number of frozen routes whose lock is open.',
    registers,
  })
  const overdueLocks = new Gauge({
    name: 'routeslip_overdue_locks',
    help: 'Number of open locks that are older than ROUTESLIP_LOCK_ALARM_HOURS.',
    registers,
  })

  const breakers = new Gauge({
    name: 'routeslip_breaker_open',
    help: '1 while requests to a service are paused because it fails.',
    labelNames: ['service'],
    registers,
  })
  const oldestCallback = new Gauge({
    name: 'routeslip_oldest_callback_seconds',
    help: 'Age of the oldest callback that has not taken effect, in seconds; 0 if there is none.',
    registers,
  })
  const deadLetters = new Gauge({
    name: 'routeslip_dead_letters',
    help: 'Number of callbacks that could not be processed and are not tried again.',
    registers,
  })
  /** Created on first use, because without Redis the metric does not exist. */
  let redis: Gauge | undefined

  const requestRow = memoizeByLabels((operation) => requests.row(`operation="${operation}"`))
  const callRow = memoizeByLabels((service, operation) =>
    calls.row(`service="${service}",operation="${operation}"`),
  )
  const eventMetrics = memoizeByLabels((event) => events.labels(event))
  const refusalMetrics = memoizeByLabels((cause) => refusals.labels(cause))

  return {
    request: (operation, status, seconds) => requestRow(operation).observe(status, seconds),
    call: (service, operation, status, seconds) => callRow(service, operation).observe(status, seconds),
    count: (event) => eventMetrics(event).inc(),
    refused: (cause) => refusalMetrics(cause).inc(),
    streams: (open) => streams.set(open),
    locks(open, overdue) {
      openLocks.set(open)
      overdueLocks.set(overdue)
    },
    health({ isRedisUp, pausedServices, oldestCallbackSeconds, deadLetters: dead }) {
      for (const service of ['workflow', 'storage'] as const) {
        breakers.labels(service).set(pausedServices.includes(service) ? 1 : 0)
      }
      oldestCallback.set(oldestCallbackSeconds)
      deadLetters.set(dead)
      if (isRedisUp === undefined) return
      redis ??= new Gauge({ name: 'routeslip_redis_up', help: '1 while Redis replies.', registers })
      redis.set(isRedisUp ? 1 : 0)
    },
    read: async () => ({
      type: registry.contentType,
      text: requests.text() + calls.text() + (await registry.metrics()),
    }),
  }
}

/** Caches what `make` returns for a set of labels, because a lookup in the registry is slow. */
function memoizeByLabels<Labels extends readonly string[], T>(
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
