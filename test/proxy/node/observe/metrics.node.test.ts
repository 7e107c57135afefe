import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMetrics } from '../../../../src/proxy/node/observe/metrics.ts'

describe('createMetrics()', () => {
  it('records requests and calls with their duration', async () => {
    const metrics = createMetrics()
    metrics.request('status', 200, 0.02)
    metrics.request('status', 200, 0.2)
    metrics.request('status', 403, 2)
    metrics.request('unknown', 404, 0.001)
    metrics.call('workflow', 'status', 200, 0.02)
    metrics.call('workflow', 'status', 'none', 8)
    metrics.call('storage', 'presign', 500, 0.3)
    const { type, text } = await metrics.read()
    assert.match(type, /^text\/plain; version=0\.0\.4/)
    for (const line of [
      'routeslip_requests_total{operation="status",status="200"} 2',
      'routeslip_requests_total{operation="status",status="403"} 1',
      'routeslip_requests_total{operation="unknown",status="404"} 1',
      'routeslip_request_seconds_count{operation="status"} 3',
      'routeslip_request_seconds_sum{operation="status"} 2.22',
      'routeslip_request_seconds_bucket{le="0.025",operation="status"} 1',
      'routeslip_request_seconds_bucket{le="0.25",operation="status"} 2',
      'routeslip_service_calls_total{service="workflow",operation="status",status="200"} 1',
      'routeslip_service_calls_total{service="workflow",operation="status",status="none"} 1',
      'routeslip_service_calls_total{service="storage",operation="presign",status="500"} 1',
      'routeslip_service_call_seconds_count{service="workflow",operation="status"} 2',
    ]) {
      assert.ok(text.split('\n').includes(line), line)
    }
  })

  it('counts a duration in each bucket that it fits in, and one beyond all of them', async () => {
    const { request, read } = createMetrics()
    for (const seconds of [0.005, 0.0051, 10, 10.1]) request('a', 200, seconds)
    const { text } = await read()
    const buckets = text.split('\n').filter((line) => line.startsWith('routeslip_request_seconds_bucket'))
    const counts = buckets.map((line) => /le="([^"]+)",operation="a"\} (\d+)$/.exec(line)?.slice(1).join(' '))
    assert.deepEqual(counts, [
      ...['0.005 1', '0.01 2', '0.025 2', '0.05 2', '0.1 2', '0.25 2', '0.5 2', '1 2', '2.5 2', '5 2'],
      ...['10 3', '+Inf 4'],
    ])
    assert.match(text, /^routeslip_request_seconds_count\{operation="a"\} 4$/m)
  })

  it('counts events, open streams and open locks', async () => {
    const metrics = createMetrics()
    metrics.count('callback_verified')
    metrics.count('callback_verified')
    metrics.count('right_denied')
    metrics.refused('token_expired')
    metrics.refused('token_expired')
    metrics.streams(3)
    metrics.streams(2)
    metrics.locks(5, 2)
    const { text } = await metrics.read()
    assert.match(text, /^routeslip_open_locks 5$/m)
    assert.match(text, /^routeslip_overdue_locks 2$/m)
    assert.match(text, /^routeslip_events_total\{event="callback_verified"\} 2$/m)
    assert.match(text, /^routeslip_events_total\{event="right_denied"\} 1$/m)
    assert.match(text, /^routeslip_refusals_total\{cause="token_expired"\} 2$/m)
    assert.match(text, /^routeslip_streams 2$/m)
  })

  it('describes each metric, and begins all at zero', async () => {
    const { text } = await createMetrics().read()
    assert.deepEqual(ownLines(text), [
      '# HELP routeslip_requests_total Number of requests with a response.',
      '# TYPE routeslip_requests_total counter',
      '# HELP routeslip_request_seconds Time until the response to a request, in seconds.',
      '# TYPE routeslip_request_seconds histogram',
      '# HELP routeslip_service_calls_total Number of calls to the services. The status is "none" if there was no response.',
      '# TYPE routeslip_service_calls_total counter',
      '# HELP routeslip_service_call_seconds Time until the response of a service, in seconds.',
      '# TYPE routeslip_service_call_seconds histogram',
      '# HELP routeslip_events_total Number of other events.',
      '# TYPE routeslip_events_total counter',
      '# HELP routeslip_refusals_total Number of requests that were refused before rights were decided, by cause.',
      '# TYPE routeslip_refusals_total counter',
      '# HELP routeslip_streams Number of open live event streams.',
      '# TYPE routeslip_streams gauge',
      'routeslip_streams 0',
      '# HELP routeslip_open_locks Number of frozen routes whose lock is open.',
      '# TYPE routeslip_open_locks gauge',
      'routeslip_open_locks 0',
      '# HELP routeslip_overdue_locks Number of open locks that are older than ROUTESLIP_LOCK_ALARM_HOURS.',
      '# TYPE routeslip_overdue_locks gauge',
      'routeslip_overdue_locks 0',
      '# HELP routeslip_breaker_open 1 while requests to a service are paused because it fails.',
      '# TYPE routeslip_breaker_open gauge',
      '# HELP routeslip_oldest_callback_seconds Age of the oldest callback that has not taken effect, in seconds; 0 if there is none.',
      '# TYPE routeslip_oldest_callback_seconds gauge',
      'routeslip_oldest_callback_seconds 0',
      '# HELP routeslip_dead_letters Number of callbacks that could not be processed and are not tried again.',
      '# TYPE routeslip_dead_letters gauge',
      'routeslip_dead_letters 0',
    ])
  })

  it('shows the health of the process, and that of Redis if it is used', async () => {
    const { health, read } = createMetrics()
    const shown = async () =>
      ownLines((await read()).text).filter((line) => /^routeslip_(breaker|oldest|dead|redis)/.test(line))
    const facts = { oldestCallbackSeconds: 7, deadLetters: 3 }
    const callbacks = ['routeslip_oldest_callback_seconds 7', 'routeslip_dead_letters 3']
    health({ ...facts, isRedisUp: undefined, pausedServices: ['storage'] })
    const breakers = (workflow: number, storage: number) => [
      `routeslip_breaker_open{service="workflow"} ${workflow}`,
      `routeslip_breaker_open{service="storage"} ${storage}`,
    ]
    assert.deepEqual(await shown(), [...breakers(0, 1), ...callbacks])
    for (const isRedisUp of [true, false]) {
      health({ ...facts, isRedisUp, pausedServices: ['workflow'] })
      const redis = `routeslip_redis_up ${isRedisUp ? 1 : 0}`
      assert.deepEqual(await shown(), [...breakers(1, 0), ...callbacks, redis])
    }
    assert.match((await read()).text, /^# HELP routeslip_redis_up 1 while Redis replies\.$/m)
  })

  it('separates operations whose names begin alike', async () => {
    const { request, call, read } = createMetrics()
    request('a', 200, 1)
    request('a', 20, 1)
    call('workflow', 'a', 1, 1)
    call('storage', 'a', 1, 1)
    const counts = ownLines((await read()).text).filter((line) => /_total\{/.test(line))
    assert.deepEqual(counts, [
      'routeslip_requests_total{operation="a",status="200"} 1',
      'routeslip_requests_total{operation="a",status="20"} 1',
      'routeslip_service_calls_total{service="workflow",operation="a",status="1"} 1',
      'routeslip_service_calls_total{service="storage",operation="a",status="1"} 1',
    ])
  })

  it('includes metrics of the process', async () => {
    const { text } = await createMetrics().read()
    assert.match(text, /^process_cpu_seconds_total \d/m)
    assert.match(text, /^nodejs_eventloop_lag_seconds \d/m)
  })

  it('separates the metrics of different proxies', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.request('status', 200, 1)
    assert.match((await one.read()).text, /routeslip_requests_total\{/)
    assert.doesNotMatch((await other.read()).text, /routeslip_requests_total\{/)
  })
})

/** The lines about the metrics of this package. */
const ownLines = (text: string) => text.split('\n').filter((line) => line.includes('routeslip_'))
