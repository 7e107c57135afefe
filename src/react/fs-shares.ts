import '../define/fs-shares.ts'
import type { WfLoadEvent, WfSignedOutEvent } from '../elements/element/events.ts'
import type { FsBeforeShareEvent, FsShareEvent } from '../elements/fs-shares/fs-shares.events.ts'
import { FsShares as FsSharesElement } from '../elements/fs-shares/fs-shares.ts'
import type { SharesContent } from '../elements/fs-shares/share-page.ts'
import type { FsErrorEvent } from '../elements/fs-uploader/fs-uploader.events.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<fs-shares>` for React. */
export const FsShares = createComponent({
  tagName: 'fs-shares',
  elementClass: FsSharesElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<SharesContent>>,
    onFsBeforeShare: 'fs-before-share' as EventName<FsBeforeShareEvent>,
    onFsShare: 'fs-share' as EventName<FsShareEvent>,
    onFsError: 'fs-error' as EventName<FsErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
