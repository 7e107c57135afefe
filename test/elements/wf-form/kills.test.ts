import { expect } from '@open-wc/testing'
import { firstKills, type Report, submitMany } from './kills.ts'

// `npm run bench -- submissions` does the same a thousand times.

describe('<wf-form> while the connection, the proxy or the service dies', () => {
  let reports: Report[] = []

  before(async function () {
    this.timeout(110_000)
    localStorage.clear()
    reports = await submitMany(
      Array.from({ length: 30 }, (_, seed) => seed),
      15,
    )
  })

  after(() => localStorage.clear())

  it('loses no submission, doubles none, and is true on every screen', () => {
    expect(reports).to.have.length(30)
    expect(reports.filter(({ problems }) => problems.length > 0)).to.deep.equal([])
  })

  it('has really been killed, in every way (control)', () => {
    for (const first of firstKills)
      expect(reports.some(({ kills }) => kills[0]?.startsWith(first))).to.equal(true, first)
  })
})
