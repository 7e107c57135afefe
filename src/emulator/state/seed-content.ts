/** Keys of objects that a seed names: uuids, as every store wants them, that are never drawn at random. */
const seedPrefix = '00000000-0000-4000-8000-'

/** Key for an object of a seed. A seed holds no contents: of attachments they are made up when someone asks for them. */
export function seedKey(number: number): string {
  return seedPrefix + String(number).padStart(12, '0')
}

/** Whether an object key is one of `seedKey`. */
export function isSeedKey(object: string): boolean {
  return object.startsWith(seedPrefix)
}

/** Content of so many bytes for a file of a seed: a PDF of one page where its type says so, else text. */
export function seedContent(type: string, size: number): Uint8Array<ArrayBuffer> {
  const pdf = type === 'application/pdf' ? blankPdf(size) : ''
  const text =
    pdf.length === size ? pdf : 'Made up for this scenario.\n'.repeat(Math.ceil(size / 27)).slice(0, size)
  return new TextEncoder().encode(text)
}

/** A PDF with an empty page, made as long as asked by a comment; shorter than about 400 bytes it cannot be. */
function blankPdf(size: number): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`)
  const write = (padding: number) => {
    const head = `%PDF-1.4\n%${'-'.repeat(padding)}\n`
    const offsets = objects.map((_, index) => head.length + objects.slice(0, index).join('').length)
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const body = head + objects.join('')
    const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`
    return `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${String(body.length).padStart(10, '0')}\n%%EOF\n`
  }
  return write(Math.max(0, size - write(0).length))
}
