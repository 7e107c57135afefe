import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DirectoryPerson, lookUp, namesOf } from '../../../src/elements/person/person-lookup.ts'

const names = new Map([
  ['10000001', 'José Álvarez'],
  ['10000002', 'Daniel Reyes'],
  ['10000003', 'Daniel Reyes'],
])
const { signal } = new AbortController()
const find =
  (...people: DirectoryPerson[]) =>
  () =>
    Promise.resolve(people)
const person = (univid: string, name = `Person ${univid}`) => ({ univid, name })

describe('lookUp()', () => {
  it('finds people of the package by id and by name, whatever their case and accents', async () => {
    const jose = { kind: 'found', univid: '10000001', name: 'José Álvarez' }
    const pasted = ['١٠٠٠٠٠٠١', '１００００００１', '\u200E10000001\u200E']
    for (const typed of ['10000001', ' 10000001 ', ...pasted, 'José Álvarez', ' jose alvarez'])
      assert.deepEqual(await lookUp(typed, names, () => assert.fail('not needed'), signal), jose, typed)
    assert.deepEqual(await lookUp('José', names, undefined, signal), { kind: 'none' }, 'not by a part')
  })

  it('asks the directory about a name that two people of the package have', async () => {
    assert.deepEqual(await lookUp('Daniel Reyes', names, undefined, signal), { kind: 'none' })
    const people = [person('10000002'), person('10000003')]
    assert.deepEqual(await lookUp('Daniel Reyes', names, find(...people), signal), {
      kind: 'several',
      people,
    })
  })

  it('passes on what was typed without the space around it, and the signal', async () => {
    let received: unknown
    const findPeople = (...args: unknown[]) => ((received = args), Promise.resolve([person('4')]))
    assert.deepEqual(await lookUp(' Ruth ', names, findPeople, signal), {
      kind: 'found',
      univid: '4',
      name: 'Person 4',
    })
    assert.deepEqual(received, ['Ruth', signal])
  })

  it('accepts an id that nobody knows, without a name', async () => {
    const found = { kind: 'found', univid: '42', name: undefined }
    assert.deepEqual(await lookUp('42', names, undefined, signal), found)
    assert.deepEqual(await lookUp('42', names, find(), signal), found)
    assert.deepEqual(await lookUp('٤٢', names, find(), signal), found)
    assert.deepEqual(await lookUp('42', names, () => Promise.reject(new Error('down')), signal), found)
    assert.deepEqual(await lookUp('42', names, find(person('421'), person('42')), signal), {
      ...found,
      name: 'Person 42',
    })
    assert.deepEqual(await lookUp('42', names, find(person('421')), signal), found, 'another id')
  })

  it('distinguishes nobody from a search that failed', async () => {
    assert.deepEqual(await lookUp('Ruth', names, find(), signal), { kind: 'none' })
    assert.deepEqual(await lookUp('Ruth', names, () => Promise.reject(new Error('down')), signal), {
      kind: 'failed',
    })
  })

  it('offers up to eight people, and none whose id is not valid', async () => {
    const people = Array.from({ length: 9 }, (_, index) => person(`${index + 1}`))
    assert.deepEqual(await lookUp('a', names, find(...people), signal), {
      kind: 'several',
      people: people.slice(0, 8),
    })
    assert.deepEqual(await lookUp('a', names, find(person('x1'), person('7')), signal), {
      kind: 'found',
      ...person('7'),
    })
    assert.deepEqual(await lookUp('a', names, find(person('x1')), signal), { kind: 'none' })
  })
})

describe('namesOf()', () => {
  it('leaves out people without an id or a name', () => {
    const one = { univid: '1', displayName: 'Ruth', univId: null, netid: null }
    const people = [one, null, undefined, { ...one, univid: null }, { ...one, univid: '2', displayName: '' }]
    assert.deepEqual([...namesOf(people as Parameters<typeof namesOf>[0])], [['1', 'Ruth']])
  })
})
