import { contentOf, isPdf } from '../attachments.ts'
import { displayName } from '../directory.ts'
import { createPdf } from './pdf.ts'
import type { StoredEvent } from '../../state/stored-packages.ts'
import type { PackageRecord, EmulatorContext } from '../../context.ts'

/** Creates the PDF of a package, optionally with its routing history and its PDF attachments. */
export async function printPackage(
  context: EmulatorContext,
  { form, pkg }: PackageRecord,
  {
    includeRouting,
    mergeAttachments,
  }: { readonly includeRouting: boolean; readonly mergeAttachments: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  return await createPdf({
    title: form.name,
    packageId: pkg.id,
    state: pkg.state,
    subType: pkg.subType,
    initiator: displayName(context, pkg.initiator),
    routingDate: pkg.routingDate,
    fields: Object.entries(pkg.entry).map(([label, value]) => ({ label, value: fieldText(value) })),
    ...(includeRouting && {
      routing: pkg.history.map((event) => ({
        stop: event.stop?.name ?? '',
        person: event.person === null ? '' : displayName(context, event.person),
        action: actionText(event),
        date: event.actionDate,
      })),
    }),
    ...(mergeAttachments && { attachments: await pdfAttachments(context, pkg.attachments) }),
  })
}

/** Returns the contents of the attachments with media type application/pdf. Others are not merged (spec, Limits 2). */
async function pdfAttachments(
  context: EmulatorContext,
  attachments: PackageRecord['pkg']['attachments'],
): Promise<Uint8Array[]> {
  const contents: Uint8Array[] = []
  for (const attachment of attachments) {
    if (!isPdf(attachment.contentType)) continue
    const content = await contentOf(context, attachment)
    if (content) contents.push(new Uint8Array(await new Response(content).arrayBuffer()))
  }
  return contents
}

function actionText({ class: type, signature }: StoredEvent): string {
  if (!signature) return type
  return signature.autoSigned ? `${signature.state} (automatically)` : signature.state
}

function fieldText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
