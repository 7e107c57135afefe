import { contentOf, isPdf } from './attachments.ts'
import { nameOf } from './directory.ts'
import { createPdf } from './pdf.ts'
import type { StoredEvent } from '../state.ts'
import type { Located, EmulatorContext } from '../context.ts'

/** Prints a package as a PDF, with its routing history and its PDF attachments where asked. */
export async function printPackage(
  world: EmulatorContext,
  { form, found }: Located,
  {
    includeRouting,
    mergeAttachments,
  }: { readonly includeRouting: boolean; readonly mergeAttachments: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  return await createPdf({
    title: form.name,
    packageId: found.id,
    state: found.state,
    subType: found.subType,
    initiator: nameOf(world, found.initiator),
    routingDate: found.routingDate,
    fields: Object.entries(found.entry).map(([label, value]) => ({ label, value: textOf(value) })),
    ...(includeRouting && {
      routing: found.history.map((event) => ({
        stop: event.stop?.name ?? '',
        person: event.person === null ? '' : nameOf(world, event.person),
        action: actionOf(event),
        date: event.actionDate,
      })),
    }),
    ...(mergeAttachments && { attachments: await pdfAttachments(world, found.attachments) }),
  })
}

/** Only attachments of media type application/pdf are merged (spec, Limits 2). */
async function pdfAttachments(
  world: EmulatorContext,
  attachments: Located['found']['attachments'],
): Promise<Uint8Array[]> {
  const contents: Uint8Array[] = []
  for (const attachment of attachments) {
    if (!isPdf(attachment.contentType)) continue
    const content = await contentOf(world, attachment)
    if (content) contents.push(new Uint8Array(await new Response(content).arrayBuffer()))
  }
  return contents
}

function actionOf({ class: type, signature }: StoredEvent): string {
  if (!signature) return type
  return signature.autoSigned ? `${signature.state} (automatically)` : signature.state
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
