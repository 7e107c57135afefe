import { browserOperations, type OperationForBrowsers } from '../contract/services/browser-operations.ts'
import { isBeforeRouting } from '../contract/values/package-states.ts'
import { isRecord } from '../contract/values/values.ts'
import type { BrowserOperation } from '../contract/routes/routes.ts'
import type { CallInput, ConformanceSuite } from './suite.ts'
import { client, formId, people } from './target.ts'

/** Situations of a package: its states, and `removed`, which is PRE_ROUTING after `removePackage`. */
export const situations = ['PRE_ROUTING', 'removed', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID'] as const
export type Situation = (typeof situations)[number]

/** Ids that an operation is tried with. Ids that it does not need point at nothing. */
export interface Sample {
  readonly packageId: number
  readonly attachmentId: number
  /** Lock of a frozen route. */
  readonly lockId: number
  /** File of the storage service. */
  readonly uuid: string
}

/** Creates packages and files for the checks. */
export interface Fixture {
  /** Returns ids for an operation. They are created once for each situation, until `clear()`. */
  readonly sample: (name: BrowserOperation, situation: Situation | null) => Promise<Sample>
  /** Uploads a file through the proxy and returns its uuid. */
  readonly upload: (owner: string, metadata?: Readonly<Record<string, string>>) => Promise<string>
  /** Forgets all samples, because a check may have changed them. */
  readonly clear: () => void
}

/** Owner of the files that the rights checks use. */
export const fileOwner = people.initiator

/** Client that gets shares of files. */
const grantee = 'partner-app'

const missingFile = '00000000-0000-4000-8000-000000000000'

/** A valid entry of the form, with one field of each kind. */
const entry = {
  purpose: 'Conformance',
  departure: '2027-05-14',
  website: null,
  contact: null,
  nights: 4,
  cost: 1250.5,
  notice: null,
  traveler: null,
  org: null,
  department: null,
  sub_department: null,
  position: null,
}

/** Creates a fixture. Packages come from the services themselves; files come from the proxy, which records their owners. */
export function createFixture({ env, prepare, control, call }: ConformanceSuite): Fixture {
  const samples = new Map<string, Promise<Sample>>()

  async function make(name: BrowserOperation, situation: Situation | null): Promise<Sample> {
    const nothing = { packageId: 1, attachmentId: 1, lockId: 1, uuid: missingFile }
    if (situation === null) return { ...nothing, uuid: await file(name) }
    if (name === 'deleteLock' && situation === 'ROUTING') return { ...nothing, ...(await frozen()) }
    const made = { ...nothing, ...(await inSituation(situation)) }
    if (name === 'deactivateOverride') {
      await prepare('createOverride', client.id, { params: { formId, ...made }, body: sampleOverride })
    }
    return made
  }

  async function inSituation(situation: Situation) {
    const created = await prepare('createPackage', people.initiator, {
      params: { formId },
      body: { state: isBeforeRouting(situation) ? situation : 'ROUTING', entry },
    })
    const packageId = idOf(created)
    const params = { formId, packageId }
    const attachment = await prepare('uploadAttachment', client.id, {
      params: { ...params, attachmentTypeId: receipt },
      body: 'A receipt',
    })
    if (situation === 'removed') await prepare('removePackage', client.id, { params })
    if (situation === 'VOID') await prepare('voidPackage', client.id, { params, body: voidBody(packageId) })
    if (situation === 'COMPLETE') {
      for (const univid of [people.firstApprover, people.secondApprover]) {
        await control('POST', `/${env}/forms/${formId}/packages/${packageId}/sign`, { univid })
      }
    }
    return { packageId, attachmentId: idOf(attachment) }
  }

  /** Creates a package whose route a callback has frozen. The address of the callback is unreachable. */
  async function frozen() {
    const stop = `/${env}/forms/${formId}/stops/1/callback`
    await control('PUT', stop, { url: 'http://127.0.0.1:9/', freeze: true })
    try {
      const { packageId } = await inSituation('ROUTING')
      const callbacks = (await control('GET', '/callbacks')) as readonly { id: number; packageId: number }[]
      return { packageId, lockId: callbacks.find((each) => each.packageId === packageId)?.id ?? 1 }
    } finally {
      await control('PUT', stop, { url: null })
    }
  }

  async function file(name: BrowserOperation): Promise<string> {
    // Shared files belong to the administrator, so that the result is the same if a proxy also checks the owner.
    const isShared = name === 'createShare' || name === 'getShares' || name === 'revokeShare'
    if (name === 'uploadFile') return missingFile
    const uuid = await upload(isShared ? people.administrator : fileOwner)
    if (name === 'revokeShare') {
      await prepare('createShare', client.id, { body: { granteeClientId: grantee, fileAssetUuid: uuid } })
    }
    return uuid
  }

  async function upload(owner: string, metadata?: Readonly<Record<string, string>>): Promise<string> {
    const { status, json } = await call('uploadFile', owner, { body: metadata ? { metadata } : {} })
    const uuid = isRecord(json) ? json['uuid'] : undefined
    if (typeof uuid === 'string') return uuid
    throw new Error(`uploadFile: expected a file with its uuid, got ${status}`)
  }

  return {
    sample(name, situation) {
      const kind = special.includes(name) || situation === null ? name : ''
      const key = `${situation} ${kind}`
      const found = samples.get(key) ?? make(name, situation)
      samples.set(key, found)
      return found
    },
    upload,
    clear: () => samples.clear(),
  }
}

/** Operations that need a package of their own. */
const special: readonly BrowserOperation[] = ['deleteLock', 'deactivateOverride']

/** Attachment types of the form: one that it needs to complete, and one without rules. */
const receipt = 2
const other = 3

const sampleOverride = {
  subjectUnivid: people.firstApprover,
  type: 'DELEGATE',
  reason: 'CONFLICT_OF_INTEREST',
  replacementUnivid: people.viewer,
}

function voidBody(packageId: number) {
  return { id: packageId, state: 'VOID', voidReason: 'INCORRECT_FORM' }
}

/** Returns the arguments of an operation for this sample. */
export function inputFor(name: BrowserOperation, sample: Sample): CallInput {
  const { packageId, attachmentId, lockId, uuid } = sample
  const operation: OperationForBrowsers = browserOperations[name]
  const params = {
    formId,
    packageId,
    attachmentId,
    lockId,
    uuid,
    attachmentTypeId: other,
    univid: sampleOverride.subjectUnivid,
    granteeClientId: grantee,
    officeKey: '05-0333',
    routeId: 701,
  }
  return {
    params,
    ...operation.sample?.({
      packageId,
      entry,
      approver: people.firstApprover,
      stranger: people.viewer,
      uuid,
      grantee,
    }),
  }
}

function idOf(value: unknown): number {
  const id = isRecord(value) ? value['id'] : undefined
  if (typeof id === 'number') return id
  throw new Error('The emulator has created something without an id')
}
