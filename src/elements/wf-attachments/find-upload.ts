import type { Attachment } from '../../contract/schemas/attachments.ts'

/** An upload that got no response. */
interface LostUpload {
  readonly typeId: number
  readonly file: File
  /** Ids of attachments that are not this upload: older ones, and those of other uploads. */
  readonly excluded: ReadonlySet<number | undefined>
}

/** Returns the attachment that an upload created. Compares names without the characters that the proxy removes. */
export function findUpload(
  attachments: readonly (Attachment | null)[],
  { typeId, file, excluded }: LostUpload,
): Attachment | undefined {
  const found = attachments.find(
    (attachment) =>
      attachment?.attachmentType?.id === typeId &&
      attachment.fileSize === file.size &&
      comparable(attachment.fileName ?? '') === comparable(file.name) &&
      !excluded.has(attachment.id),
  )
  return found ?? undefined
}

/** Returns the letters and digits at the start of a name. */
function comparable(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 40)
}
