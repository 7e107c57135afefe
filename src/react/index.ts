'use client'

// Components for React 18 and 19. Each registers its element, and renders its attributes on a server. React 19 also supports
// the tags themselves, with the types in `routeslip/types/react`, but sets no properties and adds no listeners when it
// hydrates a tag that a server has rendered.
export { FsFiles } from './fs-files.ts'
export { FsShares } from './fs-shares.ts'
export { FsUploader } from './fs-uploader.ts'
export { RoutingHistory } from './routing-history.ts'
export { WfAttachments } from './wf-attachments.ts'
export { WfBadge } from './wf-badge.ts'
export { WfComments } from './wf-comments.ts'
export { WfContext } from './wf-context.ts'
export { WfForm } from './wf-form.ts'
export { WfHistory } from './wf-history.ts'
export { WfList } from './wf-list.ts'
export { WfOffice } from './wf-office.ts'
export { WfOverrides } from './wf-overrides.ts'
export { WfPackageStatus } from './wf-package-status.ts'
export { WfRoute } from './wf-route.ts'
