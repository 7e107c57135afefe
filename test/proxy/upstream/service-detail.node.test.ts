import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serviceDetail } from '../../../src/proxy/upstream/service-detail.ts'
import { createCredentials, secretsIn } from '../../../src/proxy/upstream/credentials.ts'

const service = { baseUrl: '', clientId: 'demo-app', clientSecret: 'demo-secret' }
const authorization = createCredentials(service).current()
const detailOf = (detail: unknown) => serviceDetail(JSON.stringify({ detail }), secretsIn(authorization))

describe('serviceDetail()', () => {
  it('returns the reason as plain text on one line, 300 characters at most', () => {
    assert.equal(
      detailOf('Upload Curriculum vitae before routing begins'),
      'Upload Curriculum vitae before routing begins',
    )
    assert.equal(detailOf(' Two\r\nlines\u0000 and \u202ereversed\u2069 '), 'Two lines and reversed')
    assert.equal([...(detailOf('😀'.repeat(400)) ?? '')].length, 300)
    assert.equal(detailOf('1 < 2 and 3 > 2'), '1 < 2 and 3 > 2')
  })

  it('returns nothing without a reason, or if it holds markup, an address or credentials (T24)', () => {
    for (const detail of [
      ...[undefined, null, 42, {}, '', ' \n', '<b>No</b>', 'See </p>', '<!-- x -->'],
      ...['at https://10.0.0.1/internal', 'jdbc:oracle://db', authorization, `got ${authorization.slice(6)}`],
      ...['Bearer abcdefgh.ijkl', 'the secret demo-secret is wrong'],
    ])
      assert.equal(detailOf(detail), undefined, JSON.stringify(detail))
    assert.equal(serviceDetail('<h1>Error', []), undefined)
    assert.equal(serviceDetail('["detail"]', []), undefined)
  })
})
