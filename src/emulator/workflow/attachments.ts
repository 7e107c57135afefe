import type { Attachment } from '../../contract/schemas/attachments.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import { toPerson } from './directory.ts'
import type { Handlers, ResponseBody } from '../http/handler.ts'
import { findViewablePackage, findWritablePackage } from './packages.ts'
import { ServiceError } from '../http/service-error.ts'
import { resumeRouting } from './routing/routing.ts'
import { isSeedKey, seedContent } from '../state/seed-content.ts'
import type { Form } from '../state/stored-forms.ts'
import type { StoredAttachment } from '../state/stored-packages.ts'
import { nextId, type EmulatorContext } from '../context.ts'

/** Handlers of the attachments of packages. */
export const attachmentHandlers = {
  getAttachmentTypes: (context, { params, caller }) =>
    findViewablePackage(context, params, caller).form.attachmentTypes,

  uploadAttachment(context, { params, caller, file, body }) {
    const record = findWritablePackage(context, params, caller)
    const { form, pkg } = record
    const type = form.attachmentTypes.find(({ id }) => id === params.attachmentTypeId)
    if (!type) throw new ServiceError(404, `The form has no attachment type ${params.attachmentTypeId}`)
    if (pkg.state === 'VOID')
      throw new ServiceError(409, 'A package in state VOID cannot receive attachments')
    if (isBeforeRouting(pkg.state) && !type.visiblePreRouting && !type.requiredPreRouting) {
      throw new ServiceError(409, `${type.title} cannot be uploaded before routing begins`)
    }
    if (type.mimeTypeRestrictions.pdf === true && !isPdf(file.type)) {
      throw new ServiceError(400, `${type.title} must be a PDF, but this file is ${file.type}`)
    }
    const attachment: StoredAttachment = {
      id: nextId(context),
      type: type.id,
      fileName: file.name,
      description: body ?? '',
      contentType: file.type,
      person: caller.user,
      fileSize: file.size,
      uploadTimestamp: context.clock.localNow(),
      object: file.object,
    }
    pkg.attachments.push(attachment)
    resumeRouting(context, record)
    return toAttachment(context, form, attachment)
  },

  getAttachments(context, { params, caller }) {
    const { form, pkg } = findViewablePackage(context, params, caller)
    return pkg.attachments.map((attachment) => toAttachment(context, form, attachment))
  },

  async downloadAttachment(context, { params, caller }) {
    const { pkg } = findViewablePackage(context, params, caller)
    const attachment = pkg.attachments.find(({ id }) => id === params.attachmentId)
    if (!attachment) throw new ServiceError(404, `The package has no attachment ${params.attachmentId}`)
    const content = await contentOf(context, attachment)
    if (!content) throw new ServiceError(404, 'The content of the attachment is missing')
    const { contentType, fileName, fileSize } = attachment
    return new Response(content, {
      headers: {
        Date: new Date(context.clock.now()).toUTCString(),
        'Content-Length': String(fileSize),
        'Content-Disposition': `inline; filename=${headerText(fileName)}`,
        'Content-Type': contentType,
        'Cache-Control': 'no-cache',
      },
    })
  },
} satisfies Partial<Handlers>

function toAttachment(context: EmulatorContext, form: Form, attachment: StoredAttachment) {
  const { id, fileName, description, type, person, fileSize, uploadTimestamp } = attachment
  return {
    id,
    fileName,
    description,
    attachmentType: form.attachmentTypes.find(({ id }) => id === type) ?? null,
    person: toPerson(context, person),
    fileSize,
    uploadTimestamp,
  } satisfies ResponseBody<Attachment>
}

/** Whether a media type is application/pdf, with any parameters and in any case (RFC 9110, 8.3.1). */
export function isPdf(contentType: string): boolean {
  return /^application\/pdf[ \t]*(?:;|$)/i.test(contentType)
}

/** Returns the content of an attachment, or `undefined` if the object store has lost it. */
export async function contentOf(
  { objects }: EmulatorContext,
  { object, contentType, fileSize }: StoredAttachment,
): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | undefined> {
  const content = await objects.get(object)
  return content ?? (isSeedKey(object) ? seedContent(contentType, fileSize) : undefined)
}

/** Encodes a file name as the service does: raw UTF-8, one character of the header value per byte. */
function headerText(fileName: string): string {
  const bytes = new TextEncoder().encode(fileName.replace(/[\0\r\n]/g, '_'))
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
