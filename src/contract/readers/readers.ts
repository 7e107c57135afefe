import type { BrowserResult as Result } from '../services/browser-operations.ts'
import type { Reader } from './field-readers.ts'
import { fileReaders, shareReaders } from './file-readers.ts'
import { formReaders } from './form-readers.ts'
import { officeRouteReaders, officeSearchReaders } from './office-readers.ts'
import { overrideReaders } from './override-readers.ts'
import { pageReaders } from './page-readers.ts'
import { transitionReaders } from './transition-readers.ts'
import { uploadReaders } from './upload-readers.ts'
import type { BrowserOperation } from '../routes/routes.ts'

/** The readers of JSON responses, by operation, or by operation and version. */
export const readers = {
  ...pageReaders,
  ...transitionReaders,
  ...uploadReaders,
  ...formReaders,
  ...officeSearchReaders,
  ...officeRouteReaders,
  ...overrideReaders,
  ...fileReaders,
  ...shareReaders,
} satisfies Readonly<
  { [Name in BrowserOperation]?: Reader<Result<Name>> } & {
    'getEntry;version=1.1': Reader<Result<'getEntry', '1.1'>>
    'updateEntry;version=1.1': Reader<Result<'updateEntry', '1.1'>>
  }
>
