import { expect } from '@open-wc/testing'
import type { Announcer } from '../../../src/elements/notices/announcer.ts'
import { UploadOutcomes } from '../../../src/elements/upload/upload-outcomes.ts'
import { files } from '../../../src/locales/en-upload.ts'
import { textsOf } from '../texts.ts'

const texts = textsOf(files)

describe('UploadOutcomes', () => {
  it('announces failures and interruptions at once, and stored files at the end', () => {
    const { outcomes, announced } = start()
    outcomes.add('a was uploaded.', 'stored')
    outcomes.add('b waits for the network.', 'queued')
    expect(announced.splice(0)).to.deep.equal(['b waits for the network.'])
    outcomes.add('c was uploaded.', 'stored')
    outcomes.end(texts)
    expect(announced.splice(0), 'each by its name').to.deep.equal(['a was uploaded.', 'c was uploaded.'])
    outcomes.end(texts)
    expect(announced, 'once').to.deep.equal([])
  })

  it('adds nothing to a single failure', () => {
    const { outcomes, announced } = start()
    outcomes.add('a failed.', 'failed')
    outcomes.end(texts)
    expect(announced).to.deep.equal(['a failed.'])
  })

  it('sums up several files if some of them failed', () => {
    const { outcomes, announced } = start()
    for (const kind of ['failed', 'stored', 'stored'] as const) outcomes.add(`${kind}.`, kind)
    outcomes.end(texts)
    expect(announced.splice(0)).to.deep.equal(['failed.', ['1 failed, 2 uploaded', []]])
    for (const kind of ['failed', 'failed'] as const) outcomes.add(`${kind}.`, kind)
    outcomes.end(texts)
    expect(announced).to.deep.equal(['failed.', 'failed.', ['2 failed', []]])
  })

  it('announces the sum before the failures that follow it', () => {
    const { outcomes, announced } = start(['b failed.'])
    outcomes.add('a failed.', 'failed')
    outcomes.add('b failed.', 'failed')
    outcomes.end(texts)
    expect(announced.at(-1)).to.deep.equal(['2 failed:', []])
  })
})

/** Outcomes, and what they announce. `waiting` are messages that have not been announced yet. */
function start(waiting: readonly string[] = []) {
  const announced: unknown[] = []
  const announcer = {
    host: document.body,
    announce: (...args: readonly unknown[]) => announced.push(args.length > 1 ? args : args[0]),
    isWaiting: (message: string) => waiting.includes(message),
  }
  return { outcomes: new UploadOutcomes(announcer as unknown as Announcer), announced }
}
