import type { Handlers } from './http/handler.ts'
import { fileHandlers } from './storage/file-handlers.ts'
import { shareHandlers } from './storage/shares.ts'
import { attachmentHandlers } from './workflow/attachments.ts'
import { entryHandlers } from './workflow/entry-handlers.ts'
import { officeHandlers } from './workflow/offices.ts'
import { packageHandlers } from './workflow/package-handlers.ts'
import { overrideHandlers } from './workflow/routing/override-handlers.ts'
import { toolHandlers } from './workflow/routing/tool-handlers.ts'

/** The emulation of each operation of the contract, under its name. */
export const handlers: Handlers = {
  ...packageHandlers,
  ...entryHandlers,
  ...toolHandlers,
  ...overrideHandlers,
  ...attachmentHandlers,
  ...officeHandlers,
  ...fileHandlers,
  ...shareHandlers,
  getPublicKey: ({ signing }) => signing.publicKey(),
}
