// Components for React 18, which neither sets properties of elements nor listens to their events. Each registers its
// element. With React 19 the tags themselves do: see the types in `routeslip/types/react`.
export { FsUploader } from './fs-uploader.ts'
export { RoutingHistory } from './routing-history.ts'
export { WfAttachments } from './wf-attachments.ts'
export { WfComments } from './wf-comments.ts'
export { WfContext } from './wf-context.ts'
export { WfHistory } from './wf-history.ts'
export { WfPackageStatus } from './wf-package-status.ts'
