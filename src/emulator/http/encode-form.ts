/**
 * Returns a form as the body of a request, with its media type (RFC 7578). A request that WebKit creates from a form with
 * files has no readable body.
 */
export function encodeForm(form: FormData): Blob {
  // A Blob has a media type in lower case.
  const boundary = `form-${crypto.randomUUID()}`
  const parts = [...form].flatMap(([name, value]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`,
    ...(typeof value === 'string' ? ['\r\n\r\n', value] : [describeFile(value), value]),
    '\r\n',
  ])
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` })
}

function describeFile({ name, type }: File): string {
  return `; filename="${escapeName(name)}"\r\nContent-Type: ${type || 'application/octet-stream'}\r\n\r\n`
}

function escapeName(name: string): string {
  return name.replace(/\r?\n|\r/g, '%0D%0A').replaceAll('"', '%22')
}
