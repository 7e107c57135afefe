import type { EntryWithEmail } from '../schemas/entry.ts'
import { dictionary, object, orNull, text } from './field-readers.ts'
import { packageInformation } from './page-readers.ts'

const entryWithEmail = object<EntryWithEmail>({
  entry: dictionary,
  emailContent: orNull(object<{ packageDetails: string | null }>({ packageDetails: text })),
})

/** The readers of the JSON responses to `formRoutes`, by operation, or by operation and version. */
export const formReaders = {
  createPackage: packageInformation,
  getEntry: dictionary,
  'getEntry;version=1.1': entryWithEmail,
  updateEntry: dictionary,
  'updateEntry;version=1.1': entryWithEmail,
}
