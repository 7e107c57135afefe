import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMetrics } from '../../../src/proxy/node/metrics.ts'

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

  it('counts events, open streams and open locks', async () => {
    const metrics = createMetrics()
    metrics.count('callback_verified')
    metrics.count('callback_verified')
    metrics.count('right_denied')
    metrics.streams(3)
    metrics.streams(2)
    metrics.locks(5, 2)
    const { text } = await metrics.read()
    assert.match(text, /^routeslip_open_locks 5$/m)
    assert.match(text, /^routeslip_overdue_locks 2$/m)
    assert.match(text, /^routeslip_events_total\{event="callback_verified"\} 2$/m)
    assert.match(text, /^routeslip_events_total\{event="right_denied"\} 1$/m)
    assert.match(text, /^routeslip_streams 2$/m)
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
