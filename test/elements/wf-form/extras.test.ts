import { expect } from '@open-wc/testing'
import { type ExtraSettings, extrasOf } from '../../../src/elements/wf-form/state/extras.ts'

const settings: ExtraSettings = { subType: '', subTypeName: '', summaryName: '', detailsName: '', notify: '' }
const named: ExtraSettings = {
  ...settings,
  subTypeName: 'kind',
  summaryName: 'summary',
  detailsName: 'details',
}
const none = { subType: null, packageDetails: null, deltaSummary: null, sendDeltaEmail: null }

describe('extrasOf()', () => {
  it('is nothing without settings, whatever is typed', () => {
    expect(extrasOf(settings, { '': 'x', kind: 'FOREIGN' }, null)).to.deep.equal(none)
    expect(extrasOf(settings, {}, '')).to.deep.equal(none)
  })

  it('takes the sub-type from the control, then from the attribute, then from the package', () => {
    const own = { ...named, subType: 'OWN' }
    expect(extrasOf(own, { kind: 'FOREIGN' }, 'OLD').subType).to.equal('FOREIGN')
    for (const kind of ['', null, 7])
      expect(extrasOf(own, { kind }, 'OLD').subType, `typed ${kind}`).to.equal('OWN')
    expect(extrasOf(named, {}, 'OLD').subType).to.equal('OLD')
  })

  it('sends texts as HTML, with their lines, and nothing for an empty text', () => {
    expect(extrasOf(named, { summary: 'a < b\nc & d\n', details: '<b>' }, null)).to.deep.equal({
      ...none,
      deltaSummary: 'a &lt; b<br>c &amp; d<br>',
      packageDetails: '&lt;b&gt;',
    })
    expect(extrasOf(named, { summary: '', details: null }, null)).to.deep.equal(none)
  })

  it('mails about an edit always, never, or as the service does', () => {
    const sends = ['always', 'never', '', 'often'].map(
      (notify) => extrasOf({ ...settings, notify }, {}, null).sendDeltaEmail,
    )
    expect(sends).to.deep.equal([true, false, null, null])
  })
})
