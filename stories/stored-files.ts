import { operationsOffByDefault } from '../src/proxy/mount/options.ts'
import { browserOperations } from '../src/contract/services/browser-operations.ts'
import type { BrowserOperation } from '../src/contract/routes/routes.ts'
import { shareKey } from '../src/emulator/state/state.ts'
import { type Backend, createBackend, people } from './backend.ts'

// Files and shares of the emulator, for stories and tests.

const day = 86_400_000

/** Facts about a file that a story needs. */
export interface SampleFile {
  readonly filename: string
  readonly contentType?: string
  readonly fileSize?: number
  /** Days since its upload. Default 5. */
  readonly age?: number
  /** Days from its upload to its end. Default 30. */
  readonly days?: number
  readonly metadata?: Readonly<Record<string, string>>
  /** University id of the person who uploaded it. Default: the initiator. */
  readonly owner?: string
}

/** Stores files. `now` is the present, in ms since 1970. Returns their uuids. */
export function storeFiles(
  backend: Pick<Backend, 'emulator'>,
  files: readonly SampleFile[],
  now = Date.now(),
): string[] {
  return files.map((file, index) => {
    const { filename, contentType = 'application/pdf', fileSize = 88_000, metadata } = file
    const { age = 5, days = 30, owner = people.initiator } = file
    const uuid = `0f5e0000-0000-4000-8000-${`${index + 1}`.padStart(12, '0')}`
    const uploadedAt = now - age * day
    const expiresAt = uploadedAt + days * day
    backend.emulator.files.test.set(uuid, {
      asset: {
        ...{ uuid, filename, contentType, fileSize },
        uploadDate: localTime(uploadedAt),
        expirationDate: localTime(expiresAt),
        metadata: { ...metadata, 'routeslip-owner': owner },
      },
      ...{ owner: 'demo-app', object: uuid, uploadedAt, expiresAt, isDeleted: false },
    })
    return uuid
  })
}

/** The files of most stories: two that open in the browser, and one that does not. */
export const sampleFiles: readonly SampleFile[] = [
  { filename: 'itinerary.pdf', fileSize: 214_000, metadata: { purpose: 'travel', trip: 'Tucson' } },
  { filename: 'lodging-receipt.png', contentType: 'image/png', fileSize: 1_240_000, age: 3 },
  {
    filename: 'expenses.xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    fileSize: 41_000,
    age: 1,
  },
]

/** Uuids of `sampleFiles`. */
export const sampleUuids = sampleFiles.map((_, index) => `0f5e0000-0000-4000-8000-00000000000${index + 1}`)

/** A backend with `sampleFiles`, whose proxy also serves shares: to the owners of files, and to the administrator. */
export function createFilesBackend(
  person: string | null = people.initiator,
  options: Parameters<typeof createBackend>[1] = {},
): Backend {
  const all = Object.keys(browserOperations) as BrowserOperation[]
  const operations = all.filter((name) => name.includes('Share') || !operationsOffByDefault.includes(name))
  const isAdministrator = ({ univid }: { readonly univid: string }) => univid === people.administrator
  const backend = createBackend(
    person,
    options,
    [6025],
    {},
    {
      operations,
      policy: (question) =>
        ('isOwner' in question && question.isOwner) ||
        ((question.operation.includes('Share') || question.operation.includes('File')) &&
          isAdministrator(question.person)),
    },
  )
  storeFiles(backend, sampleFiles)
  return backend
}

/** The applications of the emulator, by name. */
export const directory = [
  { clientId: 'partner-app', name: 'Library archive' },
  { clientId: 'storage-admin', name: 'Records office' },
]

/** Shares a file, or all files, with an application. */
export function share(
  backend: Pick<Backend, 'emulator'>,
  granteeClientId: string,
  fileAssetUuid: string | null,
  age = 1,
): void {
  const found = {
    ...{ ownerClientId: 'demo-app', granteeClientId, fileAssetUuid },
    type: fileAssetUuid === null ? ('ALL_FILES' as const) : ('SINGLE_FILE' as const),
    createdAt: localTime(Date.now() - age * day).slice(0, 19),
  }
  backend.emulator.shares.test.set(shareKey('demo-app', granteeClientId, fileAssetUuid), found)
}

function localTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 23)}000`
}
