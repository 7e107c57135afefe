import { createComponent, type EventName } from '@lit/react'
import * as react from 'react'
import '../define/fs-files.ts'
import type { WfSignedOutEvent } from '../elements/events.ts'
import { FsFiles as FsFilesElement } from '../elements/fs-files/fs-files.ts'
import type {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../elements/fs-uploader/fs-uploader.events.ts'

/** `<fs-files>` for React 18. */
export const FsFiles = createComponent({
  react,
  tagName: 'fs-files',
  elementClass: FsFilesElement,
  events: {
    onFsBeforeChange: 'fs-before-change' as EventName<FsBeforeChangeEvent>,
    onFsChange: 'fs-change' as EventName<FsChangeEvent>,
    onFsError: 'fs-error' as EventName<FsErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
