import { z } from 'zod'
import type { ShareBody } from '../../contract/schemas/shares.ts'
import { clientId } from '../../contract/schemas/field-schemas.ts'
import type { Environment } from '../../contract/values/values.ts'
import { findFile } from './find-file.ts'
import type { HandlerInput, Handlers } from '../http/handler.ts'
import { ServiceError } from '../http/service-error.ts'
import type { EmulatorContext } from '../context.ts'
import { shareKey } from '../state/state.ts'
import type { StoredShare } from '../state/stored-files.ts'

/** Body of an ALL_FILES share, which gives a client access to all present and future files of another. Administrators only. */
const AllFilesBody = z.strictObject({
  granteeClientId: clientId,
  type: z.literal('ALL_FILES'),
  /** Client that owns the files. Default: the administrator's own client. */
  ownerClientId: clientId.optional(),
  fileAssetUuid: z.null().optional(),
})
type AllFilesBody = z.output<typeof AllFilesBody>

/** Query that selects an ALL_FILES share of the grantee in the path. Administrators only. */
const AllFilesQuery = z.strictObject({
  type: z.literal('ALL_FILES'),
  /** Client that owns the files. Default: the administrator's own client. */
  ownerClientId: clientId.optional(),
})
type AllFilesQuery = z.output<typeof AllFilesQuery>

/**
 * Additional schemas of two operations. They replace the "admin interface" that the spec mentions but does not describe.
 * The handlers throw 403 if the client is not an administrator.
 */
export const adminSchemas = {
  createShare: { body: AllFilesBody },
  revokeShare: { query: AllFilesQuery },
} as const

/** Handlers of shares. */
export const shareHandlers = {
  createShare(
    context,
    {
      env,
      client,
      body,
    }: Pick<HandlerInput<'createShare'>, 'env' | 'client'> & { readonly body: ShareBody | AllFilesBody },
  ) {
    const { state, clock } = context
    const isForAll = 'type' in body
    if (isForAll) checkAdministrator(context, client)
    const owner = (isForAll ? body.ownerClientId : undefined) ?? client
    const grantee = body.granteeClientId
    const uuid = body.fileAssetUuid ?? null

    if (uuid !== null && findFile(context, env, uuid)?.owner !== client) {
      throw new ServiceError(404, 'You do not own this file asset. Only the owner of a file can share it.')
    }
    if (!state.clients.has(owner)) {
      throw new ServiceError(
        400,
        `Client ${owner} does not exist. ownerClientId must be the client that owns the files.`,
      )
    }
    if (!state.clients.has(grantee)) {
      throw new ServiceError(
        400,
        `Client ${grantee} does not exist. granteeClientId must be the client that gets access.`,
      )
    }
    if (grantee === owner) {
      throw new ServiceError(400, `${grantee} owns the files already. Name the client that is to get access.`)
    }
    const conflicting = activeShares(context, env, owner).find(
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

  getShares(context, { env, client, query }) {
    const number = Number(query.page ?? 0)
    const size = Number(query.size ?? 20)
    const found = activeShares(context, env, client)
      .filter(
        (share) =>
          (query.granteeClientId === undefined || share.granteeClientId === query.granteeClientId) &&
          (query.fileAssetUuid === undefined ||
            share.fileAssetUuid === null ||
            share.fileAssetUuid === query.fileAssetUuid),
      )
      .sort(compareBy(query.sort))
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

  revokeShare(
    context,
    {
      env,
      client,
      params,
      query,
    }: Pick<HandlerInput<'revokeShare'>, 'env' | 'client' | 'params'> & {
      readonly query: HandlerInput<'revokeShare'>['query'] | AllFilesQuery
    },
  ) {
    const isForAll = 'type' in query
    if (isForAll) checkAdministrator(context, client)
    const owner = (isForAll ? query.ownerClientId : undefined) ?? client
    const uuid = isForAll ? null : query.fileAssetUuid
    const share = activeShares(context, env, owner).find(
      ({ granteeClientId, fileAssetUuid }) =>
        granteeClientId === params.granteeClientId && fileAssetUuid === uuid,
    )
    if (!share) {
      throw new ServiceError(
        404,
        `${owner} has no such share with ${params.granteeClientId}. List the shares to find out which exist.`,
      )
    }
    context.state.shares[env].delete(shareKey(owner, params.granteeClientId, uuid))
    return new Response(null, { status: 204 })
  },
} satisfies Partial<Handlers>

function checkAdministrator({ state }: EmulatorContext, client: string): void {
  if (!state.clients.get(client)?.isAdministrator) {
    throw new ServiceError(
      403,
      'Only an administrator can configure ALL_FILES shares. Share single files instead.',
    )
  }
}

/** Returns the shares of an owner in order of creation, without those of deleted and expired files. */
function activeShares(context: EmulatorContext, env: Environment, owner: string): StoredShare[] {
  return [...context.state.shares[env].values()].filter(
    ({ ownerClientId, fileAssetUuid }) =>
      ownerClientId === owner &&
      (fileAssetUuid === null || findFile(context, env, fileAssetUuid) !== undefined),
  )
}

/** Returns the comparison for `property,direction`. Equal shares keep their order. */
function compareBy(sort = 'createdAt,asc'): (a: StoredShare, b: StoredShare) => number {
  // The schema of the query accepts only properties of a share.
  const [property, direction] = sort.split(',') as [keyof StoredShare, string | undefined]
  const sign = direction === 'desc' ? -1 : 1
  return (a, b) => {
    const [left, right] = [a[property] ?? '', b[property] ?? '']
    return left < right ? -sign : left > right ? sign : 0
  }
}
