import type { Environment } from '../../contract/values/values.ts'
import { ServiceError } from '../http/service-error.ts'
import { shareKey } from '../state/state.ts'
import type { StoredFile } from '../state/stored-files.ts'
import type { EmulatorContext } from '../context.ts'

/** Returns the file with this uuid if it is neither deleted nor expired. */
export function findFile(context: EmulatorContext, env: Environment, uuid: string): StoredFile | undefined {
  const file = context.state.files[env].get(uuid)
  return file && !file.isDeleted && !hasExpired(context, file.expiresAt) ? file : undefined
}

/** Returns a file that was not deleted and that the client owns or has a share of. It may have expired. */
export function findAccessible(
  context: EmulatorContext,
  env: Environment,
  client: string,
  uuid: string,
): StoredFile {
  const { state } = context
  const file = state.files[env].get(uuid)
  const isAllowed =
    file &&
    (file.owner === client ||
      state.shares[env].has(shareKey(file.owner, client, uuid)) ||
      state.shares[env].has(shareKey(file.owner, client, null)))
  if (!isAllowed || file.isDeleted) {
    throw new ServiceError(404, 'The file asset does not exist, was deleted, or is not shared with you')
  }
  return file
}

/** Does the same, and throws `ServiceError` 404 if the file has expired. */
export function findReadable(
  context: EmulatorContext,
  env: Environment,
  client: string,
  uuid: string,
): StoredFile {
  const file = findAccessible(context, env, client, uuid)
  if (hasExpired(context, file.expiresAt))
    throw new ServiceError(404, 'The file asset has expired. Upload the file again.')
  return file
}

/** Returns a file that the client owns. Throws `ServiceError` 403 or 404. */
export function findOwn(
  context: EmulatorContext,
  env: Environment,
  client: string,
  uuid: string,
): StoredFile {
  const file = findReadable(context, env, client, uuid)
  if (file.owner !== client) {
    throw new ServiceError(
      403,
      'A share gives read access only. Ask the owner of the file to change or delete it.',
    )
  }
  return file
}

/** Whether an instant has passed. */
export function hasExpired({ clock }: EmulatorContext, instant: number | null): boolean {
  return instant !== null && instant <= clock.now()
}
