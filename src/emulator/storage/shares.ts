import { z } from 'zod'
import type { ShareBody } from '../../contract/shares.ts'
import { clientId } from '../../contract/parameters.ts'
import type { Environment } from '../../contract/values.ts'
import type { Clock } from '../clock.ts'
import type { HandlerInput, Handlers } from '../http/handlers.ts'
import { ServiceError } from '../http/service-error.ts'
import { shareKey, type EmulatorState, type StoredFile, type StoredShare } from '../state/state.ts'

/** Body that gives a client access to all files of another, present and future. Administrators only. */
export const AllFilesBody = z.strictObject({
  granteeClientId: clientId,
  type: z.literal('ALL_FILES'),
  /** Whose files. Absent: the administrator's own. */
  ownerClientId: clientId.optional(),
  fileAssetUuid: z.null().optional(),
})
export type AllFilesBody = z.output<typeof AllFilesBody>

/** Query that names an ALL_FILES share, beside the grantee in the path. Administrators only. */
export const AllFilesQuery = z.strictObject({
  type: z.literal('ALL_FILES'),
  /** Whose files. Absent: the administrator's own. */
  ownerClientId: clientId.optional(),
})
export type AllFilesQuery = z.output<typeof AllFilesQuery>

/**
 * The emulator's stand-in for the "admin interface", of which the spec says no more: shapes that two operations take
 * besides those of the contract. The handlers refuse them with 403 to clients that are no administrators.
 */
export const adminSchemas = {
  createShare: { body: AllFilesBody },
  revokeShare: { query: AllFilesQuery },
} as const

export interface SharesOptions {
  readonly state: EmulatorState
  readonly clock: Clock
  /** The file with this uuid while it is neither deleted nor expired. */
  readonly findFile: (env: Environment, uuid: string) => StoredFile | undefined
}

/** The shares of the file storage service. Handlers throw `Refusal`. */
export function createShares({
  state,
  clock,
  findFile,
}: SharesOptions): Pick<Handlers, 'createShare' | 'getShares' | 'revokeShare'> {
  return {
    createShare({
      env,
      client,
      body,
    }: Pick<HandlerInput<'createShare'>, 'env' | 'client'> & { readonly body: ShareBody | AllFilesBody }) {
      const isForAll = 'type' in body
      if (isForAll) checkAdministrator(client)
      const owner = (isForAll ? body.ownerClientId : undefined) ?? client
      const grantee = body.granteeClientId
      const uuid = body.fileAssetUuid ?? null

      if (uuid !== null && findFile(env, uuid)?.owner !== client) {
        throw new ServiceError(404, 'You have no such file asset. Only the owner of a file can share it.')
      }
      if (!state.clients.has(owner)) {
        throw new ServiceError(
          400,
          `There is no client ${owner}. Name the client whose files are to be shared.`,
        )
      }
      if (!state.clients.has(grantee)) {
        throw new ServiceError(400, `There is no client ${grantee}. Name the client that is to get access.`)
      }
      if (grantee === owner) {
        throw new ServiceError(
          400,
          `${grantee} owns the files already. Name the client that is to get access.`,
        )
      }
      const conflicting = activeShares(env, owner).find(
        (share) => share.granteeClientId === grantee && (share.fileAssetUuid === null) !== isForAll,
      )
      if (conflicting) {
        throw new ServiceError(
          400,
          `${grantee} has ${isForAll ? 'SINGLE_FILE shares' : 'an ALL_FILES share'} from ${owner}. ` +
            `Revoke ${isForAll ? 'them' : 'it'} before switching to ${isForAll ? 'an ALL_FILES share' : 'SINGLE_FILE shares'}.`,
        )
      }

      const key = shareKey(owner, grantee, uuid)
      const share = state.shares[env].get(key) ?? {
        ownerClientId: owner,
        granteeClientId: grantee,
        fileAssetUuid: uuid,
        type: isForAll ? 'ALL_FILES' : 'SINGLE_FILE',
        createdAt: clock.local(clock.now()),
      }
      state.shares[env].set(key, share)
      return share
    },

    getShares({ env, client, query }) {
      const number = Number(query.page ?? 0)
      const size = Number(query.size ?? 20)
      const found = activeShares(env, client)
        .filter(
          (share) =>
            (query.granteeClientId === undefined || share.granteeClientId === query.granteeClientId) &&
            (query.fileAssetUuid === undefined ||
              share.fileAssetUuid === null ||
              share.fileAssetUuid === query.fileAssetUuid),
        )
        .sort(order(query.sort))
      return {
        content: found.slice(number * size, (number + 1) * size),
        page: {
          totalElements: found.length,
          totalPages: Math.ceil(found.length / size),
          number,
          size,
        },
      }
    },

    revokeShare({
      env,
      client,
      params,
      query,
    }: Pick<HandlerInput<'revokeShare'>, 'env' | 'client' | 'params'> & {
      readonly query: HandlerInput<'revokeShare'>['query'] | AllFilesQuery
    }) {
      const isForAll = 'type' in query
      if (isForAll) checkAdministrator(client)
      const owner = (isForAll ? query.ownerClientId : undefined) ?? client
      const uuid = isForAll ? null : query.fileAssetUuid
      const share = activeShares(env, owner).find(
        ({ granteeClientId, fileAssetUuid }) =>
          granteeClientId === params.granteeClientId && fileAssetUuid === uuid,
      )
      if (!share) {
        throw new ServiceError(
          404,
          `${owner} has no such share with ${params.granteeClientId}. List the shares first.`,
        )
      }
      state.shares[env].delete(shareKey(owner, params.granteeClientId, uuid))
      return new Response(null, { status: 204 })
    },
  }

  function checkAdministrator(client: string): void {
    if (!state.clients.get(client)?.isAdministrator) {
      throw new ServiceError(
        403,
        'Only an administrator can configure ALL_FILES shares. Share single files instead.',
      )
    }
  }

  /** Shares of an owner in the order they were made, without those of files that nobody can reach any more. */
  function activeShares(env: Environment, owner: string): StoredShare[] {
    return [...state.shares[env].values()].filter(
      ({ ownerClientId, fileAssetUuid }) =>
        ownerClientId === owner && (fileAssetUuid === null || findFile(env, fileAssetUuid) !== undefined),
    )
  }
}

/** How `property,direction` sorts. What is equal keeps the order in which it was made. */
function order(sort = 'createdAt,asc'): (a: StoredShare, b: StoredShare) => number {
  // The query's schema lets only properties of a share through.
  const [property, direction] = sort.split(',') as [keyof StoredShare, string | undefined]
  const sign = direction === 'desc' ? -1 : 1
  return (a, b) => {
    const [left, right] = [a[property] ?? '', b[property] ?? '']
    return left < right ? -sign : left > right ? sign : 0
  }
}
