import '../define/fs-files.ts'
import type { WfSignedOutEvent } from '../elements/element/events.ts'
import { FsFiles as FsFilesElement } from '../elements/fs-files/fs-files.ts'
import type {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../elements/fs-uploader/fs-uploader.events.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<fs-files>` for React. */
export const FsFiles = createComponent({
  tagName: 'fs-files',
  elementClass: FsFilesElement,
  events: {
    onFsBeforeChange: 'fs-before-change' as EventName<FsBeforeChangeEvent>,
    onFsChange: 'fs-change' as EventName<FsChangeEvent>,
    onFsError: 'fs-error' as EventName<FsErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
