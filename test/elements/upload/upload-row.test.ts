import { expect, fixture, html } from '@open-wc/testing'
import {
  NotFoundError,
  RefusedError,
  UnavailableError,
  type UploadItem,
  type UploadState,
} from '../../../src/client/index.ts'
import { compileMessages, numberRules } from '../../../src/elements/text/compile-messages.ts'
import { FileProblem } from '../../../src/elements/element/file-problem.ts'
import { namedTypes } from '../../../src/elements/upload/file-rules.ts'
import { actionOf, renderFileRow } from '../../../src/elements/upload/file-row.ts'
import { uploadMessage, uploadRow } from '../../../src/elements/upload/upload-row.ts'
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

const sent = { ...sending, sent: sending.total, speed: null, secondsLeft: null }

function itemOf(state: UploadState<object>, size = 3_145_728): UploadItem<object, unknown> {
  return { key: -1, name: 'a.pdf', size, file: undefined, state } as UploadItem<object, unknown>
}

describe('uploadRow()', () => {
  const states: readonly (readonly [state: UploadState<object>, words: string])[] = [
    [{ kind: 'queued' }, 'Waiting to upload Cancel'],
    [{ ...sending, isStalled: false }, '39% (1.2 MB of 3 MB) · 300 kB/s · 7 seconds left Cancel'],
    [
      { ...sending, sent: 0, speed: null, secondsLeft: null, isStalled: true },
      `0% (0 bytes of 3 MB) ${files.stalled} Try again Cancel`,
    ],
    [{ ...sending, sent: 0, total: 0, isStalled: false }, 'Sending… Cancel'],
    [{ ...sending, speed: 0, secondsLeft: null, isStalled: false }, '39% (1.2 MB of 3 MB) · 0 byte/s Cancel'],
    [{ ...sent, isStalled: false }, 'Sent. Waiting for confirmation… Cancel'],
    [{ ...sent, isStalled: true }, `${files.finishing} ${files.stalled} Try again Cancel`],
    [{ kind: 'verifying', next: 'send' }, 'Checking if the file arrived…'],
    [{ kind: 'queued', hold: 'offline' }, `${files.offline} Continue Cancel`],
    [{ kind: 'queued', hold: 'signed-out' }, `${files.signedOut} Continue Cancel`],
    [{ kind: 'gone', mayDuplicate: false }, 'Upload cancelled. Try again Remove'],
    [{ kind: 'gone', mayDuplicate: true }, `Upload cancelled. ${files.unconfirmed} Try again Remove`],
    [
      { kind: 'failed', error: lost, isUncertain: false, mayDuplicate: false },
      `${files.notSent} Try again Remove`,
    ],
    [
      { kind: 'failed', error: lost, isUncertain: true, mayDuplicate: false },
      `${files.uncertain} Try again Remove`,
    ],
    [
      { kind: 'failed', error: lost, isUncertain: true, mayDuplicate: true },
      `${files.unconfirmed} Try again Remove`,
    ],
    [
      {
        kind: 'failed',
        error: new NotFoundError('uploadAttachment', 'found nothing'),
        isUncertain: false,
        mayDuplicate: false,
      },
      `${files.notSent} Try again Remove`,
    ],
    [
      {
        kind: 'failed',
        error: new RefusedError('uploadFile', 413, { detail: 'x' }),
        isUncertain: false,
        mayDuplicate: false,
      },
      `${files.tooLargeHere} Remove`,
    ],
    [
      {
        kind: 'failed',
        error: new RefusedError('uploadFile', 422, { detail: 'No macros.' }),
        isUncertain: false,
        mayDuplicate: false,
      },
      `${files.refusedHere} No macros. Remove`,
    ],
    [
      {
        kind: 'failed',
        error: new RefusedError('uploadFile', 422, { detail: 'No macros.', refusedBy: 'service' }),
        isUncertain: false,
        mayDuplicate: false,
      },
      `${files.refused} No macros. Remove`,
    ],
    [
      { kind: 'failed', error: new FileProblem('empty'), isUncertain: false, mayDuplicate: false },
      `${files.problems.empty} Remove`,
    ],
    [
      { kind: 'failed', error: new FileProblem('unreadable'), isUncertain: false, mayDuplicate: false },
      `${files.problems.unreadable} Try again Remove`,
    ],
  ]
  for (const [state, words] of states) {
    const stalled = 'isStalled' in state && state.isStalled ? ', stalled' : ''
    it(`renders the texts and accessible names of a file that is ${state.kind}${stalled}: ${words.slice(0, 40)}`, async () => {
      const called: unknown[] = []
      const onAction = (event: MouseEvent) => called.push(actionOf(event).action)
      const row = { ...uploadRow(itemOf(state), files, 'en-US'), onAction }
      const element = await fixture<HTMLElement>(
        html`<div data-key="-1">${renderFileRow(row, files, 'en-US')}</div>`,
      )
      const text = [...element.querySelectorAll<HTMLElement>('.facts, button')].map((one) => one.innerText)
      expect(text.join(' ').replace(/\s+/g, ' ').trim()).to.equal(`a.pdf 3 MB ${words}`)
      await expect(element).to.be.accessible()

      const actions = { Cancel: 'cancel', Continue: 'resume', 'Try again': 'retry', Remove: 'remove' }
      for (const button of element.querySelectorAll('button')) {
        const text = button.innerText as keyof typeof actions
        expect(button).to.have.attribute('aria-label', `${text} a.pdf`)
        button.click()
        expect(called.pop()).to.equal(actions[text])
      }
    })
  }

  it('has a progress bar, with a value only if the progress is known', async () => {
    for (const [state, value] of [
      [{ ...sending, isStalled: false }, 0.4],
      [{ ...sent, isStalled: false }, null],
      [{ ...sending, sent: 0, total: 0, isStalled: false }, null],
      [{ kind: 'verifying', next: 'send' }, null],
      [{ kind: 'queued' }, undefined],
    ] as const) {
      const element = await fixture(html`<div>${uploadRow(itemOf(state), files, 'en').more}</div>`)
      const bar = element.querySelector('progress')
      if (value === undefined) expect(bar).to.equal(null)
      else if (value === null) expect(bar!.position).to.equal(-1)
      else expect(bar!.value).to.be.closeTo(value, 0.001)
    }
  })
})

describe('uploadMessage()', () => {
  it('names the types that are accepted, if they are few', () => {
    const error = new FileProblem('wrongType', 1, ['.pdf', '.docx'])
    const message = (one: FileProblem) =>
      uploadMessage(
        itemOf({ kind: 'failed', error: one, isUncertain: false, mayDuplicate: false }),
        files,
        'en',
      )
    expect(message(error)).to.include('Choose one of these types: .pdf, .docx.')
    expect(message(new FileProblem('wrongType'))).to.include('Choose a different file.')
    expect(namedTypes({ maxSize: 1, accept: '.pdf, .docx' })).to.deep.equal(['.pdf', '.docx'])
    expect(namedTypes({ maxSize: 1, extensions: ['pdf'] })).to.deep.equal(['.pdf'])
    expect(namedTypes({ maxSize: 1, accept: '.pdf,image/*' })).to.deep.equal([])
    expect(namedTypes({ maxSize: 1, extensions: [...'abcdefghijklm'] })).to.deep.equal([])
    expect(namedTypes({ maxSize: 1 })).to.deep.equal([])
  })

  it('names the exact limit if a rounded one would be the size of the file', () => {
    const limitOf = (size: number, maxSize: number) => {
      const error = new FileProblem('tooLarge', maxSize)
      const state = { kind: 'failed', error, isUncertain: false, mayDuplicate: false } as const
      return /larger than (.*?)\./.exec(uploadMessage(itemOf(state, size), files, 'en') ?? '')?.[1]
    }
    expect(limitOf(52_428_801, 52_428_800)).to.equal('52,428,800 bytes')
    expect(limitOf(99_000_000, 52_428_800)).to.equal('50 MB')
  })

  it('announces ends and interruptions, but no progress', () => {
    const announcementOf = (state: UploadState<object>) => uploadMessage(itemOf(state), files, 'en')
    expect(announcementOf({ kind: 'stored', value: {} })).to.equal('a.pdf was uploaded.')
    expect(announcementOf({ kind: 'queued', hold: 'offline' })).to.equal(`a.pdf: ${files.offline}`)
    expect(announcementOf({ ...sent, isStalled: true })).to.equal(`a.pdf: ${files.stalled}`)
    expect(announcementOf({ kind: 'failed', error: lost, isUncertain: true, mayDuplicate: false })).to.equal(
      `a.pdf: ${files.uncertain}`,
    )
    for (const state of [
      { ...sending, isStalled: false },
      { kind: 'queued' },
      { kind: 'verifying', next: 'send' },
    ] as const)
      expect(announcementOf(state)).to.equal(undefined)
  })
})
