// Defines only the tags that the page uses. Each loads when its first element appears.
import { isFirst } from './early.ts'
import { afterStatus } from './after-status.ts'
import { define, skip } from './define.ts'
import { discover } from './discovery.ts'

export { configure } from '../elements/configuration/configuration.ts'
export { addLanguage } from '../elements/text/added-languages.ts'
export type { WfContext } from '../elements/wf-context/wf-context.ts'
export type { FsFiles } from '../elements/fs-files/fs-files.ts'
export type { FsShares } from '../elements/fs-shares/fs-shares.ts'
export type { FsUploader } from '../elements/fs-uploader/fs-uploader.ts'
export type { RoutingHistory } from '../elements/wf-history/routing-history.ts'
export type { WfAttachments } from '../elements/wf-attachments/wf-attachments.ts'
export type { WfBadge } from '../elements/wf-badge/wf-badge.ts'
export type { WfComments } from '../elements/wf-comments/wf-comments.ts'
export type { WfForm } from '../elements/wf-form/wf-form.ts'
export type { WfHistory } from '../elements/wf-history/wf-history.ts'
export type { WfList } from '../elements/wf-list/wf-list.ts'
export type { WfOffice } from '../elements/wf-office/wf-office.ts'
export type { WfOverrides } from '../elements/wf-overrides/wf-overrides.ts'
export type { WfPackageStatus } from '../elements/wf-package-status/wf-package-status.ts'
export type { WfRoute } from '../elements/wf-route/wf-route.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/fs-shares/fs-shares.events.ts'
export type * from '../elements/fs-uploader/fs-uploader.events.ts'
export type * from '../elements/wf-comments/wf-comments.events.ts'
export type * from '../elements/wf-form/wf-form.events.ts'
export type * from '../elements/wf-overrides/wf-overrides.events.ts'
export type * from '../elements/wf-package-status/wf-package-status.events.ts'

const elements: Readonly<Record<string, () => Promise<CustomElementConstructor>>> = {
  'wf-context': async () => (await import('../elements/wf-context/wf-context.ts')).WfContext,
  'fs-files': async () => (await import('../elements/fs-files/fs-files.ts')).FsFiles,
  'fs-shares': async () => (await import('../elements/fs-shares/fs-shares.ts')).FsShares,
  'fs-uploader': async () => (await import('../elements/fs-uploader/fs-uploader.ts')).FsUploader,
  'routing-history': async () => (await import('../elements/wf-history/routing-history.ts')).RoutingHistory,
  'wf-attachments': async () => (await import('../elements/wf-attachments/wf-attachments.ts')).WfAttachments,
  'wf-badge': async () => (await import('../elements/wf-badge/wf-badge.ts')).WfBadge,
  'wf-comments': async () => (await import('../elements/wf-comments/wf-comments.ts')).WfComments,
  'wf-form': async () => (await import('../elements/wf-form/wf-form.ts')).WfForm,
  'wf-history': async () => (await import('../elements/wf-history/wf-history.ts')).WfHistory,
  'wf-list': async () => (await import('../elements/wf-list/wf-list.ts')).WfList,
  'wf-office': async () => (await import('../elements/wf-office/wf-office.ts')).WfOffice,
  'wf-overrides': async () => (await import('../elements/wf-overrides/wf-overrides.ts')).WfOverrides,
  'wf-package-status': async () =>
    (await import('../elements/wf-package-status/wf-package-status.ts')).WfPackageStatus,
  'wf-route': async () => (await import('../elements/wf-route/wf-route.ts')).WfRoute,
}

const loaders = Object.fromEntries(
  Object.entries(elements).map(([tag, fetch]) => [
    tag,
    // A tag that is already defined is not loaded.
    async () => (customElements.get(tag) ? skip(tag) : define(tag, await fetch())),
  ]),
)

if (isFirst) discover(loaders)
// Another copy has begun, and defines some of its elements after the status has been drawn.
else void afterStatus().then(() => discover(loaders))

/**
 * Defines an element that the script does not find by itself, because all of its kind are in shadow roots. Rejects if there
 * is no such element.
 */
export async function load(tag: keyof typeof elements): Promise<void> {
  await loaders[tag]!()
}
