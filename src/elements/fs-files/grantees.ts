import { isRecord } from '../../contract/values/values.ts'

/** An application that files can be shared with. */
export interface Grantee {
  /** Its client id in the file storage service. People never see it. */
  readonly clientId: string
  /** Name for people, such as `Library archive`. */
  readonly name: string
}

/** Returns the entries of a directory that are valid. The attribute may hold any JSON. */
export function readGrantees(directory: unknown): readonly Grantee[] {
  return Array.isArray(directory)
    ? directory.filter(
        (entry: unknown): entry is Grantee =>
          isRecord(entry) && typeof entry['clientId'] === 'string' && typeof entry['name'] === 'string',
      )
    : []
}

/** Returns the name of an application; `undefined` if the directory does not contain it. */
export function granteeName(directory: readonly Grantee[], clientId: string): string | undefined {
  return directory.find((entry) => entry.clientId === clientId)?.name
}
