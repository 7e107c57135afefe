import '../define/fs-uploader.ts'
import type { WfSignedOutEvent } from '../elements/element/events.ts'
import type {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../elements/fs-uploader/fs-uploader.events.ts'
import { FsUploader as FsUploaderElement } from '../elements/fs-uploader/fs-uploader.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<fs-uploader>` for React. */
export const FsUploader = createComponent({
  tagName: 'fs-uploader',
  elementClass: FsUploaderElement,
  events: {
    onFsBeforeChange: 'fs-before-change' as EventName<FsBeforeChangeEvent>,
    onFsChange: 'fs-change' as EventName<FsChangeEvent>,
    onFsError: 'fs-error' as EventName<FsErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
