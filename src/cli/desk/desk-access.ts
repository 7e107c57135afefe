import { personKey } from '../../contract/values/patterns.ts'
import type { Hint } from '../../proxy/changes/bus.ts'
import { type Gap, readNoted, removeGap, timeText } from '../../proxy/desk/knowledge.ts'
import { type PackageIndex, urgency } from '../../proxy/desk/package-index.ts'
import { stopNote } from '../../proxy/desk/reminder-limits.ts'
import type { MountConfig } from '../config/proxy-config.ts'

/** The index of a mount that keeps lists. */
export interface MountIndex extends Pick<MountConfig, 'env' | 'basePath' | 'forms'> {
  readonly index: PackageIndex
}

/** The state of the lists of a mount. Times are in UTC. */
export interface DeskStatus extends Pick<MountConfig, 'env' | 'basePath' | 'forms'> {
  /** Number of requests. */
  readonly count: number
  /** Since when it knows requests; null before the first run. */
  readonly since: string | null
  /** When a process last ran. */
  readonly ran: string | null
  /** Whether checks are due, and since when the first of them is, if its time came without a reason such as a callback. */
  readonly isDue: boolean
  readonly dueSince: string | null
  /** Times in which no process ran. */
  readonly gaps: readonly { readonly from: string; readonly to: string }[]
  /** Forms for which no reminders are sent, because one has changed data. */
  readonly stopped: readonly number[]
}

export interface ImportedPackages extends Pick<MountConfig, 'env'> {
  readonly packages: readonly Hint[]
  /** A time of which all requests have been imported with these. */
  readonly covers?: Gap | undefined
}

/** The lists of all mounts that keep some. */
export interface DeskAccess {
  readonly status: () => Promise<readonly DeskStatus[]>
  /** Adds requests, which the proxy checks with the service before it lists them. */
  readonly learn: (packages: ImportedPackages) => Promise<void>
  /** Removes a person from all that is stored. */
  readonly forget: (univid: string) => Promise<void>
  /** Lets reminders of a form be sent again. Resolves to whether they were stopped. */
  readonly resume: (formId: number) => Promise<boolean>
}

/** Creates access to the indexes of this process. */
export function createDeskAccess(mounts: readonly MountIndex[]): DeskAccess {
  async function stoppedOf({ forms, index }: MountIndex): Promise<readonly number[]> {
    const notes = await Promise.all(forms.map((form) => index.readNote(stopNote(form))))
    return forms.filter((_, at) => notes[at] !== undefined)
  }

  return {
    status: () =>
      Promise.all(
        mounts.map(async (mount) => {
          const { env, basePath, forms, index } = mount
          const { since, alive, gaps } = await readNoted(index)
          const [due] = await index.due(Date.now(), 1)
          const isTimed = due !== undefined && due.dueAt > urgency.hasChanged
          return {
            ...{ env, basePath, forms },
            count: await index.count(),
            since: since === undefined ? null : timeText(since),
            ran: alive === undefined ? null : timeText(alive),
            isDue: due !== undefined,
            dueSince: isTimed ? timeText(due.dueAt) : null,
            gaps: gaps.map(([from, to]) => ({ from: timeText(from), to: timeText(to) })),
            stopped: await stoppedOf(mount),
          }
        }),
      ),
    async learn({ env, packages, covers }) {
      for (const { forms, index, ...mount } of mounts) {
        if (mount.env !== env) continue
        await index.request(
          packages.filter(({ formId }) => forms.includes(formId)),
          Date.now(),
        )
        if (covers) await removeGap(index, covers)
      }
    },
    async forget(univid) {
      for (const { index } of mounts) await index.forget(personKey(univid))
    },
    async resume(formId) {
      let wasStopped = false
      for (const mount of mounts) {
        if (!(await stoppedOf(mount)).includes(formId)) continue
        await mount.index.removeNote(stopNote(formId))
        wasStopped = true
      }
      return wasStopped
    },
  }
}
