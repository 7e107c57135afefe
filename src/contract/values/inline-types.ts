/** Media types that browsers show without running anything on the site that stores the file. */
const inlineTypes: readonly string[] = [
  'application/pdf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
]

/** Whether a file of this media type may open in the browser. All others are saved. */
export function mayOpenInline(contentType: string | null): boolean {
  const [type = ''] = (contentType ?? '').split(';')
  return inlineTypes.includes(type.trim().toLowerCase())
}
