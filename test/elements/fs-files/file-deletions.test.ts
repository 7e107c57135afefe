import { expect } from '@open-wc/testing'
import { NotFoundError } from '../../../src/client/transport/errors.ts'
import { type DeletionState, FileDeletions } from '../../../src/elements/fs-files/file-deletions.ts'
import { waitUntil } from '../../wait-until.ts'

describe('FileDeletions', () => {
  it('sends a deletion when the person leaves the page, and each only once', async () => {
    const { deletions, sent, states } = create()
    deletions.start('a')
    deletions.start('a')
    expect(deletions.of('a')).to.equal('waiting')
    expect(sent).to.deep.equal([])
    leavePage()
    await waitUntil(() => deletions.of('a') === 'deleted')
    deletions.start('a')
    await deletions.sendNow('a')
    deletions.undo('a')
    leavePage()
    expect(sent).to.deep.equal(['a'])
    expect(states).to.deep.equal(['a waiting', 'a deleting', 'a deleted'])
  })

  it('can be undone while it waits, and started again', async () => {
    const { deletions, sent, states } = create()
    deletions.undo('a')
    deletions.start('a')
    deletions.undo('a')
    expect(deletions.of('a')).to.equal(undefined)
    expect(deletions.includes('a')).to.equal(false)
    leavePage()
    await deletions.sendNow('a')
    expect(sent).to.deep.equal([])
    deletions.start('a')
    expect(deletions.includes('a')).to.equal(true)
    await deletions.sendNow('a')
    expect(sent).to.deep.equal(['a'])
    expect(states).to.deep.equal(['a waiting', 'a undefined', 'a waiting', 'a deleting', 'a deleted'])
  })

  it('can neither be undone nor sent again while it is being sent', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { deletions, sent } = create({ send: () => held })
    deletions.start('a')
    const first = deletions.sendNow('a')
    expect(deletions.of('a')).to.equal('deleting')
    deletions.undo('a')
    deletions.start('a')
    await deletions.sendNow('a')
    deletions.sendAll()
    expect(deletions.of('a')).to.equal('deleting')
    leavePage()
    release()
    await first
    expect(sent).to.deep.equal(['a'])
  })

  it('sends at once all that wait, and no others', async () => {
    const { deletions, sent } = create()
    for (const uuid of ['a', 'b', 'c']) deletions.start(uuid)
    deletions.undo('b')
    deletions.sendAll()
    await waitUntil(() => deletions.of('a') === 'deleted' && deletions.of('c') === 'deleted')
    deletions.sendAll()
    expect(sent).to.deep.equal(['a', 'c'])
  })

  it('distinguishes a file that does not exist any more from one that could not be deleted', async () => {
    for (const [error, state] of [
      [new NotFoundError('deleteFile', 'found nothing'), 'lost'],
      [new TypeError('down'), 'failed'],
    ] as const) {
      const errors: unknown[] = []
      const { deletions } = create({
        send: () => Promise.reject(error),
        onChange: (_uuid, _state, reason) => errors.push(reason),
      })
      deletions.start('a')
      await deletions.sendNow('a')
      expect(deletions.of('a')).to.equal(state)
      expect(deletions.includes('a'), 'it is not deleted').to.equal(false)
      expect(errors).to.deep.equal([undefined, undefined, error])
      deletions.start('a')
      expect(deletions.of('a'), 'it can be tried again').to.equal('waiting')
      deletions.undo('a')
    }
  })
})

interface Setup {
  readonly send?: () => Promise<void>
  readonly onChange?: (uuid: string, state: DeletionState | undefined, error?: unknown) => void
}

function create({ send, onChange }: Setup = {}): {
  deletions: FileDeletions
  sent: string[]
  states: string[]
} {
  const sent: string[] = []
  const states: string[] = []
  const deletions = new FileDeletions({
    send: async (uuid) => {
      sent.push(uuid)
      await send?.()
    },
    onChange: (uuid, state, error) => {
      states.push(`${uuid} ${state}`)
      onChange?.(uuid, state, error)
    },
  })
  return { deletions, sent, states }
}

function leavePage(): void {
  window.dispatchEvent(new PageTransitionEvent('pagehide'))
}
