import { type PageClient, SignedOutError } from '../../client/index.ts'
import type { Session } from '../../contract/schemas/session.ts'
import type { Share, SharePage } from '../../contract/schemas/shares.ts'
import { filesClient } from '../fs-files/files-client.ts'

/** Orders of the list, as the service names them. */
export const shareOrders = ['createdAt,desc', 'createdAt,asc', 'granteeClientId,asc'] as const
export type ShareOrder = (typeof shareOrders)[number]

/** The arguments of a request for shares. */
export type ShareKey = readonly [
  client: PageClient,
  /** Uuid of the file; empty for all. */
  file: string,
  /** Client id of the application; empty for all. */
  grantee: string,
  order: ShareOrder,
  /** From 0. */
  page: number,
  size: number,
  /** Uuids of the files that people can choose, separated by spaces. Their names are read too. */
  files: string,
]

/** One page of shares, with the names of the files. */
export interface SharesContent {
  /** The signed-in user, and what the proxy serves. */
  readonly session: Session
  /** Shares of all files, present and future. */
  readonly ofAll: readonly Share[]
  /** Shares of single files. */
  readonly single: readonly Share[]
  /** Number of rows that could not be read. */
  readonly leftOut: number
  /** The place of this page in the list. */
  readonly page: NonNullable<SharePage['page']>
  /** Names by uuid; without those that the person may not see, or that could not be read. */
  readonly names: ReadonlyMap<string, string>
  /** Whether the proxy serves shares to anybody. */
  readonly isServed: boolean
}

/** A file that people can choose. */
export type FileChoice = readonly [uuid: string, name: string]

/** Returns those of the files that have a name. */
export function choicesOf(
  uuids: readonly string[],
  names: SharesContent['names'] | undefined,
): readonly FileChoice[] {
  return uuids.flatMap((uuid) => {
    const name = names?.get(uuid)
    return name === undefined ? [] : [[uuid, name] as const]
  })
}

/** Reads one page of shares. */
export async function readShares(
  [client, file, grantee, order, page, size, files]: ShareKey,
  signal: AbortSignal,
): Promise<SharesContent> {
  const session = await client.getSession({ signal })
  const isServed = session.allows.operations.includes('getShares')
  const found = isServed
    ? await filesClient(client).getShares(
        {
          query: {
            page: `${page}`,
            size: `${size}`,
            sort: order,
            ...(file && { fileAssetUuid: file }),
            ...(grantee && { granteeClientId: grantee }),
          },
        },
        { signal },
      )
    : { content: [], page: null }
  const rows = found.content.filter((row) => row !== null)
  const uuids = new Set([
    ...rows.flatMap(({ fileAssetUuid }) => fileAssetUuid ?? []),
    ...files.split(' '),
    file,
  ])
  uuids.delete('')
  return {
    session,
    // A share of an unknown type without a file cannot be revoked either.
    ofAll: rows.filter(({ fileAssetUuid }) => fileAssetUuid === null),
    single: rows.filter(({ fileAssetUuid }) => fileAssetUuid !== null),
    leftOut: found.content.length - rows.length,
    page: found.page ?? { totalElements: rows.length, totalPages: null, number: page, size },
    names: await readNames(client, [...uuids], signal),
    isServed,
  }
}

async function readNames(
  client: PageClient,
  uuids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  await Promise.all(
    uuids.map(async (uuid) => {
      try {
        const { filename } = await client.getFileMeta({ params: { uuid } }, { signal })
        if (filename !== null) names.set(uuid, filename)
      } catch (error) {
        // Without a name, the share is shown all the same.
        if (error instanceof SignedOutError || signal.aborted) throw error
      }
    }),
  )
  return names
}
