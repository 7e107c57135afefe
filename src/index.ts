// The entry `routeslip`: the classes of the elements, their events and configuration. It registers no tags; import
// `routeslip/define` for that.
export { FsFiles } from './elements/fs-files/fs-files.ts'
export type { Grantee } from './elements/fs-files/grantees.ts'
export { FsShares } from './elements/fs-shares/fs-shares.ts'
export type { SharesContent } from './elements/fs-shares/share-page.ts'
export {
  FsBeforeShareEvent,
  FsShareEvent,
  type SharedFile,
  type ShareOperation,
} from './elements/fs-shares/fs-shares.events.ts'
export { FsUploader } from './elements/fs-uploader/fs-uploader.ts'
export { RoutingHistory } from './elements/wf-history/routing-history.ts'
export type { Attachments } from './elements/wf-attachments/content.ts'
export { WfAttachments } from './elements/wf-attachments/wf-attachments.ts'
export type { BadgeContent } from './elements/wf-badge/render-badge.ts'
export { WfBadge } from './elements/wf-badge/wf-badge.ts'
export { type Comments, WfComments } from './elements/wf-comments/wf-comments.ts'
export { WfContext } from './elements/wf-context/wf-context.ts'
export { WfForm } from './elements/wf-form/wf-form.ts'
export type { FormContent } from './elements/wf-form/state/form-content.ts'
export { type PackageHistory, WfHistory } from './elements/wf-history/wf-history.ts'
export type { ListContent } from './elements/wf-list/list-content.ts'
export { WfList } from './elements/wf-list/wf-list.ts'
export { WfOffice } from './elements/wf-office/wf-office.ts'
export { WfOverrides } from './elements/wf-overrides/wf-overrides.ts'
export type { OverrideContent } from './elements/wf-overrides/override-content.ts'
export type { DirectoryPerson, FindPeople } from './elements/person/person-lookup.ts'
export { WfPackageStatus } from './elements/wf-package-status/wf-package-status.ts'
export { type PackageRoute, WfRoute } from './elements/wf-route/wf-route.ts'
export type { UsualRoute } from './elements/wf-route/office-route.ts'
export type { PackageStatusContent } from './elements/wf-package-status/content.ts'

export {
  type FileOperation,
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from './elements/fs-uploader/fs-uploader.events.ts'
export {
  type ElementError,
  type ShownPackage,
  WfBeforeChangeEvent,
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from './elements/element/events.ts'
export { FileProblem } from './elements/element/file-problem.ts'
export { WfCommentsCountEvent } from './elements/wf-comments/wf-comments.events.ts'
export { WfFormSavedEvent, WfFormSubmittedEvent } from './elements/wf-form/wf-form.events.ts'
export { WfOverrideChangeEvent } from './elements/wf-overrides/wf-overrides.events.ts'
export { WfEditEvent, WfSignEvent } from './elements/wf-package-status/wf-package-status.events.ts'

export {
  type Configuration,
  configure,
  type PageConfiguration,
} from './elements/configuration/configuration.ts'
export { addLanguage } from './elements/text/added-languages.ts'
export type { Messages } from './locales/messages.ts'
