import { expect, fixture, html } from '@open-wc/testing'
import {
  NotFoundError,
  RefusedError,
  type TransferState,
  UnavailableError,
} from '../../../src/client/index.ts'
import { compileMessages, numberRules } from '../../../src/elements/text/compile-messages.ts'
import { FileProblem } from '../../../src/elements/element/file-problem.ts'
import { isAccepted } from '../../../src/elements/upload/file-rules.ts'
import { renderTransfer, transferMessage } from '../../../src/elements/upload/transfer-row.ts'
import { files as english } from '../../../src/locales/en-upload.ts'

const files = compileMessages(english, english, numberRules('en'))
const lost = new UnavailableError('uploadFile', 'got no usable response')
const sending = {
  kind: 'sending',
  sent: 1_258_291,
  total: 3_145_728,
  speed: 307_200,
  secondsLeft: 6.1,
} as const

describe('renderTransfer()', () => {
  const states: readonly (readonly [state: TransferState<unknown>, words: string])[] = [
    [{ kind: 'waiting' }, 'Waiting to upload Cancel'],
    [{ ...sending, isStalled: false }, '39% (1.2 MB of 3 MB) · 300 kB/s · 7 seconds left Cancel'],
    [
      { ...sending, sent: 0, speed: null, secondsLeft: null, isStalled: true },
      `0% (0 bytes of 3 MB) ${files.stalled} Try again Cancel`,
    ],
    [{ kind: 'finishing', isStalled: false }, 'Sent. Waiting for confirmation… Cancel'],
    [{ kind: 'finishing', isStalled: true }, `${files.finishing} ${files.stalled} Try again Cancel`],
    [{ kind: 'checking' }, 'Checking if the file arrived…'],
    [{ kind: 'paused', why: 'offline' }, `${files.offline} Continue Cancel`],
    [{ kind: 'paused', why: 'signed-out' }, `${files.signedOut} Continue Cancel`],
    [{ kind: 'cancelled' }, 'Upload cancelled. Try again Remove'],
    [{ kind: 'cancelled', mayDuplicate: true }, `Upload cancelled. ${files.unconfirmed} Try again Remove`],
    [{ kind: 'failed', error: lost, isUncertain: false }, `${files.notSent} Try again Remove`],
    [{ kind: 'failed', error: lost, isUncertain: true }, `${files.uncertain} Try again Remove`],
    [
      { kind: 'failed', error: lost, isUncertain: true, mayDuplicate: true },
      `${files.unconfirmed} Try again Remove`,
    ],
    [
      { kind: 'failed', error: new NotFoundError('uploadAttachment', 'found nothing'), isUncertain: false },
      `${files.notSent} Try again Remove`,
    ],
    [
      { kind: 'failed', error: new RefusedError('uploadFile', 413, { detail: 'x' }), isUncertain: false },
      `${files.tooLargeHere} Remove`,
    ],
    [
      {
        kind: 'failed',
        error: new RefusedError('uploadFile', 422, { detail: 'No macros.' }),
        isUncertain: false,
      },
      `${files.refusedHere} No macros. Remove`,
    ],
    [
      {
        kind: 'failed',
        error: new RefusedError('uploadFile', 422, { detail: 'No macros.', refusedBy: 'service' }),
        isUncertain: false,
      },
      `${files.refused} No macros. Remove`,
    ],
    [
      { kind: 'failed', error: new FileProblem('empty'), isUncertain: false },
      'Not uploaded: the file is empty. Remove',
    ],
    [
      { kind: 'failed', error: new FileProblem('unreadable'), isUncertain: false },
      `${files.problems.unreadable} Try again Remove`,
    ],
  ]
  for (const [state, words] of states) {
    const stalled = 'isStalled' in state && state.isStalled ? ', stalled' : ''
    it(`renders the texts and accessible names of a file that is ${state.kind}${stalled}: ${words.slice(0, 40)}`, async () => {
      const called: string[] = []
      const row = {
        name: 'a.pdf',
        size: 3_145_728,
        state,
        maxSize: 52_428_800,
        onStart: () => called.push('start'),
        onCancel: () => called.push('cancel'),
        onRemove: () => called.push('remove'),
      }
      const element = await fixture<HTMLElement>(html`<div>${renderTransfer(row, files, 'en-US')}</div>`)
      const [about, ...buttons] = element.querySelectorAll<HTMLElement>(':scope > div:first-child, button')
      const text = [about, ...buttons].map((one) => one!.innerText).join(' ')
      expect(text.replace(/\s+/g, ' ').trim()).to.equal(`a.pdf 3 MB ${words}`)
      await expect(element).to.be.accessible()

      const calls = { Cancel: 'cancel', Continue: 'start', 'Try again': 'start', Remove: 'remove' }
      for (const button of element.querySelectorAll('button')) {
        const text = button.innerText as keyof typeof calls
        expect(button).to.have.attribute('aria-label', `${text} a.pdf`)
        button.click()
        expect(called.pop()).to.equal(calls[text])
      }
    })
  }

  it('has a progress bar, with a value only if the progress is known', async () => {
    for (const [state, value] of [
      [{ ...sending, isStalled: false }, 0.4],
      [{ kind: 'finishing', isStalled: false }, null],
      [{ kind: 'checking' }, null],
      [{ kind: 'waiting' }, undefined],
    ] as const) {
      const row = { name: 'a', size: 1, state, maxSize: 1, onStart() {}, onCancel() {}, onRemove() {} }
      const element = await fixture(html`<div>${renderTransfer(row, files, 'en')}</div>`)
      const bar = element.querySelector('progress')
      if (value === undefined) expect(bar).to.equal(null)
      else if (value === null) expect(bar!.position).to.equal(-1)
      else expect(bar!.value).to.be.closeTo(value, 0.001)
    }
  })
})

describe('transferMessage()', () => {
  it('names the exact limit if a rounded one would be the size of the file', () => {
    const tooLarge = { kind: 'failed', error: new FileProblem('tooLarge'), isUncertain: false } as const
    const limitOf = (size: number, maxSize: number) =>
      /larger than (.*?)\./.exec(
        transferMessage({ name: 'a', size, state: tooLarge, maxSize }, files, 'en') ?? '',
      )?.[1]
    expect(limitOf(52_428_801, 52_428_800)).to.equal('52,428,800 bytes')
    expect(limitOf(99_000_000, 52_428_800)).to.equal('50 MB')
  })

  it('announces ends and interruptions, but no progress', () => {
    const announcementOf = (state: TransferState<unknown>) =>
      transferMessage({ name: 'a.pdf', size: 1, state, maxSize: 1 }, files, 'en')
    expect(announcementOf({ kind: 'stored', value: 1 })).to.equal('a.pdf was uploaded.')
    expect(announcementOf({ kind: 'paused', why: 'offline' })).to.equal(`a.pdf: ${files.offline}`)
    expect(announcementOf({ kind: 'finishing', isStalled: true })).to.equal(`a.pdf: ${files.stalled}`)
    expect(announcementOf({ kind: 'failed', error: lost, isUncertain: true })).to.equal(
      `a.pdf: ${files.uncertain}`,
    )
    for (const state of [
      { ...sending, isStalled: false },
      { kind: 'waiting' },
      { kind: 'checking' },
    ] as const)
      expect(announcementOf(state)).to.equal(undefined)
  })
})

describe('isAccepted()', () => {
  for (const [name, type, rules, is] of [
    ['a.pdf', 'application/pdf', {}, true],
    ['a.pdf', 'application/pdf', { accept: ' ' }, true],
    ['a.PDF', '', { accept: '.docx, .pdf' }, true],
    ['a.pdf.exe', 'application/pdf', { accept: '.pdf' }, false],
    ['a.png', 'image/png', { accept: 'image/*' }, true],
    ['a.png', 'image/png', { accept: 'image/jpeg' }, false],
    ['a', 'application/pdf', { accept: 'application/pdf' }, true],
    ['a', '', { accept: '.pdf' }, false],
    ['a.pdf', '', { extensions: ['pdf'] }, true],
    ['a.docx', '', { extensions: ['pdf'] }, false],
    ['a.docx', '', { extensions: null }, true],
    ['a.docx', '', { accept: '.docx', extensions: ['pdf'] }, false],
  ] as const) {
    it(`returns ${is} for ${name} (${type}) and ${JSON.stringify(rules)}`, () => {
      expect(isAccepted({ name, type }, rules)).to.equal(is)
    })
  }
})
