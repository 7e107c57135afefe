// Components for React 18, which cannot set properties of custom elements or listen to their events. Each registers its
// element. In React 19, use the tags themselves, with the types in `routeslip/types/react`.
export { FsFiles } from './fs-files.ts'
export { FsShares } from './fs-shares.ts'
export { FsUploader } from './fs-uploader.ts'
export { RoutingHistory } from './routing-history.ts'
export { WfAttachments } from './wf-attachments.ts'
export { WfComments } from './wf-comments.ts'
export { WfContext } from './wf-context.ts'
export { WfForm } from './wf-form.ts'
export { WfHistory } from './wf-history.ts'
export { WfOffice } from './wf-office.ts'
export { WfPackageStatus } from './wf-package-status.ts'
export { WfRoute } from './wf-route.ts'
