import { type Hint, packageKey } from '../../changes/bus.ts'
import {
  day,
  type Holder,
  type IndexChanges,
  type IndexedPackage,
  type ListCandidate,
  type ListPosition,
  type ListQuestion,
  maxUnknown,
  type PackageIndex,
  proposeOfForm,
  proposeTo,
  type SentReminder,
} from '../../desk/package-index.ts'
import {
  addScript,
  claimScript,
  dueScript,
  findScript,
  forgetScript,
  listScript,
  recordScript,
  removeScript,
  replaceNoteScript,
  settleScript,
  turnScript,
} from './index-scripts.ts'
import type { RedisCommands } from './redis-commands.ts'

interface RedisIndexOptions {
  /** Prefix of all keys. Mounts with different prefixes share no packages. */
  readonly prefix: string
  readonly commands: RedisCommands
  /** Commands of a connection that waits until Redis has written to its disk. */
  readonly storing: RedisCommands
  readonly flush: () => Promise<void>
  readonly changes: IndexChanges
}

/** The fields of a hash, one after the other. */
type Pairs = readonly string[]

/** Creates an index that several processes share. */
export function createRedisIndex({
  prefix,
  commands: { client, reply, run },
  storing,
  flush,
  changes,
}: RedisIndexOptions): PackageIndex {
  const notes = `${prefix}notes`

  async function add(packages: readonly Hint[], at: number, isRequested: boolean): Promise<void> {
    if (packages.length > 0) await run(addScript, prefix, at, isRequested ? 1 : 0, ...idsOf(packages))
  }

  async function readDue(at: number, limit: number, lease: number | ''): Promise<readonly IndexedPackage[]> {
    const found = (await run(dueScript, prefix, at, limit, lease)) as DueReply | null
    if (!found) return []
    const [formId, rows] = found
    return rows.map(([id, dueAt, facts]) => packageIn(formId, id, dueAt, factsIn(facts)))
  }

  /** Returns form, name, and maximum number of the lists that a list is made of. */
  async function listsOf({
    view,
    person,
    forms,
    filter = {},
  }: ListQuestion): Promise<readonly (string | number)[]> {
    const { state, stop, office } = filter
    const isOfAnyState = view === 'form' && state === undefined && stop === undefined && office === undefined
    const states = isOfAnyState ? await reply(client().sMembers(`${prefix}states`)) : [state]
    return forms.flatMap((form) => {
      if (view === 'mine') return [form, `mine:${form}:${person}`, '']
      if (view === 'waiting') return [form, `waits:${form}:${person}`, '', form, `waits:${form}:`, maxUnknown]
      if (stop !== undefined && office !== undefined) return [form, `place:${form}:${stop}:${office}`, '']
      if (stop !== undefined) return [form, `stop:${form}:${stop}`, '']
      if (office !== undefined) return [form, `office:${form}:${office}`, '']
      return states.flatMap((one) => [form, `state:${form}:${one}`, ''])
    })
  }

  return {
    add: (packages, at) => add(packages, at, false),
    request: (packages, at) => add(packages, at, true),
    due: (at, limit) => readDue(at, limit, ''),
    take: (at, limit) => readDue(at, limit, at + leaseTime),
    async record(checks) {
      const args = checks.flatMap(({ pkg, holders }) => {
        const { formId, packageId, requests, dueAt, changedAt } = pkg
        const { state, initiator, started, digest, absentSince } = pkg
        const facts = [changedAt, state, initiator, started, digest, absentSince].map((fact) => fact ?? '')
        return [formId, packageId, requests, dueAt, holders ? JSON.stringify(holders) : '', ...facts]
      })
      if (args.length > 0) await run(recordScript, prefix, ...args)
    },
    async remove(packages) {
      if (packages.length > 0) await run(removeScript, prefix, ...idsOf(packages))
    },
    async forget(person) {
      await run(forgetScript, prefix, person)
    },
    async find({ formId, packageId }) {
      const found = (await run(findScript, prefix, formId, packageId)) as FindReply
      const [pairs, dueAt, reminders] = found
      if (pairs.length === 0) return undefined
      const facts = factsIn(pairs)
      return {
        pkg: packageIn(formId, packageId, dueAt, facts),
        holders: holdersIn(facts),
        reminders: remindersIn(factsIn(reminders)),
      }
    },
    async reminders(hints) {
      const found = hints.map((hint) => client().hGetAll(`${prefix}reminders:${packageKey(hint)}`))
      return (await reply(Promise.all(found))).map(remindersIn)
    },
    async reminderTimes(person, since) {
      const found = await reply(
        client().zRangeWithScores(`${prefix}sent:${person}`, `(${since}`, '+inf', { BY: 'SCORE' }),
      )
      return found.map(({ score }) => score)
    },
    async claimReminder({ formId, packageId }, { at, person, holders }, { wait, perHolders, perDay }) {
      const reminder: Omit<SentReminder, 'at'> = { person, holders, isConfirmed: false }
      const limits = [at - wait, perHolders, at - day, perDay]
      const args = [formId, packageId, at, ...limits, person, holders, JSON.stringify(reminder)]
      const isAdded = (await storing.run(claimScript, prefix, ...args)) === 1
      // Otherwise, a crash of Redis would let it be sent again.
      if (isAdded) await flush()
      return isAdded
    },
    async settleReminder({ formId, packageId }, at, isSent) {
      await run(settleScript, prefix, formId, packageId, at, isSent ? 1 : 0)
    },
    async list(question) {
      const { view, person, limit, filter: { state } = {} } = question
      const { changedAt = '', formId = '', packageId = '' } = placeBefore(question) ?? {}
      const place = [changedAt, formId, packageId]
      const found = await run(listScript, prefix, limit, ...place, state ?? '', ...(await listsOf(question)))
      const [isCut, rows] = found as ListReply
      const candidates = rows.map(([form, id, pairs]): ListCandidate => {
        const facts = factsIn(pairs)
        const pkg = packageIn(form, id, 0, facts)
        if (view === 'mine') return proposeTo(person, pkg)
        const holders = holdersIn(facts)
        if (view === 'form') return proposeOfForm(pkg, holders, person)
        const heldBy = (wanted: string | null) => holders.find((holder) => holder.person === wanted)
        return proposeTo(person, pkg, heldBy(person) ?? heldBy(null))
      })
      return { candidates, isCut: isCut === 1 }
    },
    async count() {
      const forms = await reply(client().sMembers(`${prefix}forms`))
      const counts = await reply(Promise.all(forms.map((form) => client().zCard(`${prefix}due:${form}`))))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    async readNote(name) {
      return (await reply(client().hGet(notes, name))) ?? undefined
    },
    async writeNote(name, text) {
      await reply(client().hSet(notes, name, text))
    },
    async replaceNote(name, before, text) {
      return (await run(replaceNoteScript, prefix, name, before ?? '', text)) === 1
    },
    async removeNote(name) {
      await reply(client().hDel(notes, name))
    },
    sharing: {
      changes,
      nextCall: async (interval) => Number(await run(turnScript, prefix, interval)),
    },
  }
}

type DueReply = readonly [
  form: string,
  packages: readonly (readonly [id: string, dueAt: string, facts: Pairs])[],
]
type FindReply = readonly [facts: Pairs, dueAt: string, reminders: Pairs]
type ListReply = readonly [
  isCut: number,
  packages: readonly (readonly [form: string, id: string, facts: Pairs])[],
]
type Facts = Readonly<Record<string, string>>

/** Returns the place after which a list begins. */
function placeBefore({ after, filter: { unchangedSince } = {} }: ListQuestion): ListPosition | undefined {
  if (unchangedSince === undefined || (after && after.changedAt <= unchangedSince)) return after
  return { changedAt: unchangedSince, formId: Number.MAX_SAFE_INTEGER, packageId: 0 }
}

function idsOf(packages: readonly Hint[]): readonly number[] {
  return packages.flatMap(({ formId, packageId }) => [formId, packageId])
}

function factsIn(pairs: Pairs): Facts {
  return Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, pairs[at + 1] ?? '']] : [])))
}

function packageIn(
  formId: string | number,
  packageId: string | number,
  dueAt: string | number,
  facts: Facts,
): IndexedPackage {
  const { absentSince } = facts
  return {
    formId: Number(formId),
    packageId: Number(packageId),
    state: facts['state'] ?? null,
    initiator: facts['initiator'] ?? null,
    started: facts['started'] ?? null,
    digest: facts['digest'] ?? null,
    learntAt: Number(facts['learntAt']),
    changedAt: Number(facts['changedAt']),
    absentSince: absentSince === undefined ? null : Number(absentSince),
    dueAt: Number(dueAt),
    requests: Number(facts['requests'] ?? 0),
  }
}

function holdersIn({ holders }: Facts): readonly Holder[] {
  return holders === undefined ? [] : (JSON.parse(holders) as readonly Holder[])
}

function remindersIn(sent: Facts): readonly SentReminder[] {
  return Object.entries(sent)
    .map(([at, text]) => ({ at: Number(at), ...(JSON.parse(text) as Omit<SentReminder, 'at'>) }))
    .sort((one, other) => other.at - one.at)
}

/** Time in ms for which a process has the packages to itself that it checks. */
const leaseTime = 60_000
