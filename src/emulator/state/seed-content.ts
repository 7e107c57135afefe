/** Prefix of the keys of seeded objects. The keys are uuids that `crypto.randomUUID()` never returns. */
const seedPrefix = '00000000-0000-4000-8000-'

/** Returns the key of a seeded object. Seeds contain no file contents; `seedContent()` generates them when they are read. */
export function seedKey(number: number): string {
  return seedPrefix + String(number).padStart(12, '0')
}

/** Whether an object key is from `seedKey()`. */
export function isSeedKey(object: string): boolean {
  return object.startsWith(seedPrefix)
}

/** Generates the content of a seeded file, `size` bytes long: a PDF of one page if the type is PDF, else text. */
export function seedContent(type: string, size: number): Uint8Array<ArrayBuffer> {
  const pdf = type === 'application/pdf' ? blankPdf(size) : ''
  const text =
    pdf.length === size ? pdf : 'Made up for this scenario.\n'.repeat(Math.ceil(size / 27)).slice(0, size)
  return new TextEncoder().encode(text)
}

/** Generates a PDF with one blank page, padded to `size` by a comment. The minimum is about 400 bytes. */
function blankPdf(size: number): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`)
  const render = (padding: number) => {
    const head = `%PDF-1.4\n%${'-'.repeat(padding)}\n`
    const offsets = objects.map((_, index) => head.length + objects.slice(0, index).join('').length)
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const body = head + objects.join('')
    const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`
    return `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${String(body.length).padStart(10, '0')}\n%%EOF\n`
  }
  return render(Math.max(0, size - render(0).length))
}
