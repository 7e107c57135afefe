import { z } from 'zod'
import { orNull, rows, text } from './field-schemas.ts'
import { InboxSignature, PackageActions } from './workflow.ts'

/** Rights of the signed-in user for a package: the flags of the service and the tools that the proxy allows. */
export const AllowedActions = PackageActions.extend({
  /**
   * Routing tools that the user may run in the current state, and which of `createOverride`, `deactivateOverride`,
   * `deleteLock` and, while the package is routing, `sendReminder` the policy allows. A proxy may add unknown names.
   */
  tools: z.array(z.string()),
  /**
   * The inboxes that hold the package, as in bulk status; they spare the page a request. Null if the proxy could not read
   * them or does not send them, or if the user may not view the package.
   */
  inboxSignatures: orNull(rows(InboxSignature)),
})
export type AllowedActions = z.output<typeof AllowedActions>

export const AllowedActionsList = rows(AllowedActions)

/** The signed-in user and what this mount of the proxy allows. */
export const Session = z.object({
  /** University id. */
  univid: z.string(),
  /** Environment that the mount serves. */
  env: z.enum(['test', 'prod']),
  /** Ids of the forms that the mount serves. */
  forms: z.array(z.number().int().positive()),
  allows: z.object({
    /** Names of the operations that the mount serves; see `routes.ts`. Each call still needs rights for its package. */
    operations: z.array(z.string()),
    /** Maximum size of an uploaded file, in bytes. */
    maxFileSize: z.number().int().positive(),
    /** Allowed file name extensions, without the dot. If it is null, all are allowed. */
    extensions: z.array(z.string()).nullable(),
    /**
     * What a page does with a draft that its initiator submits: `ask` the service, or only `link` to it, because the service is
     * known to refuse that. Null means `ask`.
     */
    resubmit: text,
  }),
})
export type Session = z.output<typeof Session>
