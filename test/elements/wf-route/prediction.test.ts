import { expect } from '@open-wc/testing'
import { forgetRoutes, storageKey } from '../../../src/elements/wf-route/forget-routes.ts'
import { predictionOf, rememberRoute } from '../../../src/elements/wf-route/prediction.ts'
import type { RouteStop } from '../../../src/elements/wf-route/route-stops.ts'

const stop = (name: string, ...names: (string | null)[]) =>
  ({ name, people: names.map((one) => ({ name: one, id: '10000002' })) }) as unknown as RouteStop

describe('the remembered routes', () => {
  beforeEach(() => localStorage.removeItem(storageKey))
  afterEach(() => localStorage.removeItem(storageKey))

  it('contain the names at each stop and the time, and no ids', () => {
    expect(predictionOf('a')).to.equal(undefined)
    rememberRoute('a', [stop('Department', 'Ana', null, 'Ben'), stop('College')], 5)
    rememberRoute('b', [], 6)
    expect(predictionOf('a')).to.deep.equal({
      at: 5,
      stops: [
        ['Department', ['Ana', 'Ben']],
        ['College', []],
      ],
    })
    expect(predictionOf('b')).to.deep.equal({ at: 6, stops: [] })
    expect(predictionOf('c')).to.equal(undefined)
    expect(localStorage.getItem('routeslip-routes')).not.to.include('10000002')
    forgetRoutes()
    expect(predictionOf('a')).to.equal(undefined)
  })

  it('are the latest 20, and a route that is remembered again is the latest', () => {
    for (let request = 1; request <= 20; request++) rememberRoute(`r${request}`, [], request)
    expect(predictionOf('r1')?.at, 'all 20 are there').to.equal(1)
    rememberRoute('r2', [], 99)
    expect(predictionOf('r1')?.at, 'and none was removed').to.equal(1)
    rememberRoute('r21', [], 21)
    rememberRoute('r22', [], 22)
    expect([predictionOf('r1'), predictionOf('r3')]).to.deep.equal([undefined, undefined])
    expect([predictionOf('r2')?.at, predictionOf('r4')?.at, predictionOf('r22')?.at]).to.deep.equal([
      99, 4, 22,
    ])
  })

  it('are empty if the browser has stored something else', () => {
    for (const stored of ['{', '[1]', 'null', '"text"']) {
      localStorage.setItem(storageKey, stored)
      expect(predictionOf('0'), stored).to.equal(undefined)
      rememberRoute('a', [], 7)
      expect(Object.keys(JSON.parse(localStorage.getItem(storageKey)!) as object), stored).to.deep.equal([
        'a',
      ])
    }
  })
})
