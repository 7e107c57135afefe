import { z } from 'zod'
import { rows } from './tolerant.ts'
import { PackageActions } from './workflow.ts'

/** What the signed-in person may do with one package: the service's flags, and the tools that the proxy lets them run. */
export const AllowedActions = PackageActions.extend({
  /** Routing tools that this person may run on this package in its present state. A proxy may know more. */
  tools: z.array(z.string()),
})
export type AllowedActions = z.output<typeof AllowedActions>

export const AllowedActionsList = rows(AllowedActions)

/** The signed-in person and what this mount of the proxy allows. */
export const Session = z.object({
  /** University id. */
  univid: z.string(),
  /** Deployment that the mount serves. */
  env: z.enum(['test', 'prod']),
  /** Ids of the forms that it serves. */
  forms: z.array(z.number().int().positive()),
  allows: z.object({
    /** Names of the operations that it serves, see `routes.ts`. What each person may do is decided per package. */
    operations: z.array(z.string()),
    /** Largest file that may be uploaded, in bytes. */
    maxFileSize: z.number().int().positive(),
    /** File name extensions that may be uploaded, without the dot. Null: any. */
    extensions: z.array(z.string()).nullable(),
  }),
})
export type Session = z.output<typeof Session>
