import { createComponent, type EventName } from '@lit/react'
import * as react from 'react'
import '../define/fs-uploader.ts'
import type { WfSignedOutEvent } from '../elements/events.ts'
import type {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../elements/fs-uploader/fs-uploader.events.ts'
import { FsUploader as FsUploaderElement } from '../elements/fs-uploader/fs-uploader.ts'

/** `<fs-uploader>` for React 18. */
export const FsUploader = createComponent({
  react,
  tagName: 'fs-uploader',
  elementClass: FsUploaderElement,
  events: {
    onFsBeforeChange: 'fs-before-change' as EventName<FsBeforeChangeEvent>,
    onFsChange: 'fs-change' as EventName<FsChangeEvent>,
    onFsError: 'fs-error' as EventName<FsErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
