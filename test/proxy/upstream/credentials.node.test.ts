import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCredentials, secretsIn } from '../../../src/proxy/upstream/credentials.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const service = { baseUrl: 'https://wf.test', clientId: 'app' }

describe('createCredentials()', () => {
  it('encodes the client id and the secret in UTF-8', () => {
    const { current, known } = createCredentials({ ...service, clientSecret: 'pä:ß' })
    assert.equal(current(), basic('app:pä:ß'))
    assert.deepEqual(known(), [basic('app:pä:ß'), basic('app:pä:ß')])
  })

  it('asks for the secret again after a second, and remembers the previous one', () => {
    let time = 0
    let secret = 'one'
    let asked = 0
    const clientSecret = () => {
      asked++
      return secret
    }
    const { current, known } = createCredentials({ ...service, clientSecret }, () => time)
    secret = 'two'
    time = 999
    assert.equal(current(), basic('app:one'))
    assert.equal(asked, 1)
    time = 1000
    assert.equal(current(), basic('app:two'))
    assert.deepEqual(known(), [basic('app:two'), basic('app:one')])
    time = 1999
    assert.equal(current(), basic('app:two'))
    assert.equal(asked, 2)
    time = 2000
    current()
    assert.equal(asked, 3)
    assert.deepEqual(known(), [basic('app:two'), basic('app:one')], 'still the previous one')
  })
})

describe('secretsIn()', () => {
  it('returns the credentials, encoded, and the secret', () => {
    assert.deepEqual(secretsIn(basic('app:se:cret')), [basic('app:se:cret').slice(6), 'se:cret'])
  })

  it('leaves out an empty secret, which each text contains', () => {
    assert.deepEqual(secretsIn(basic('app:')), [basic('app:').slice(6)])
  })
})
