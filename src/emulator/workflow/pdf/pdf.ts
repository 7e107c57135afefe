import type { PDFDocument, PDFFont } from '@pdfme/pdf-lib'
import { parseTimestamp } from '../../../contract/values/timestamp.ts'
import { wrap, writable } from './pdf-text.ts'

/** The content of a package's PDF. Line breaks in texts are kept. */
export interface PdfContent {
  /** Name of the form. */
  readonly title: string
  readonly packageId: number
  readonly state: string
  /** If null, the line is left out. */
  readonly subType: string | null
  /** Name of the initiator. */
  readonly initiator: string
  /** Local date-time. Also used as the date of the file, so that the file does not depend on the clock. */
  readonly routingDate: string
  /** The entry, in display order. If empty, the section is left out. */
  readonly fields: readonly PdfField[]
  /** Routing history, oldest first. If absent, the section is left out. If empty, it shows “None yet”. */
  readonly routing?: readonly PdfStep[] | undefined
  /**
   * PDF files whose pages are appended, in this order. Files that are encrypted, have no pages or cannot be read as PDF
   * are left out.
   */
  readonly attachments?: readonly Uint8Array[] | undefined
}

/** One field of an entry. */
interface PdfField {
  readonly label: string
  readonly value: string
}

/** One line of the routing history. */
interface PdfStep {
  /** Empty if the event belongs to no stop. */
  readonly stop: string
  /** Empty if the event has no person. */
  readonly person: string
  readonly action: string
  /** Local date-time. */
  readonly date: string
}

type Library = typeof import('@pdfme/pdf-lib')

interface TextStyle {
  readonly bold: boolean
  /** In points. */
  readonly size: number
  /** From 0, black, to 1, white. */
  readonly gray: number
}

/** Position and style of one text of a row, in points from the left margin. */
interface Column {
  readonly x: number
  readonly width: number
  readonly style: TextStyle
}

interface Face {
  readonly font: PDFFont
  /** Whether the font has a glyph for a character. */
  readonly knows: (character: string) => boolean
  /** Returns the width in points at a size of one point. The font must have all characters. */
  readonly measure: (text: string) => number
}

/** Writes from top to bottom and adds pages as needed. */
interface Writer {
  /** Adds vertical space in points, except at the top of a page. */
  readonly space: (height: number) => void
  /** Begins a new page if less than `height` points are left on this one. */
  readonly need: (height: number) => void
  /** Writes one wrapped text per column. Draws a line below if the row belongs to a table. */
  readonly row: (columns: readonly Column[], texts: readonly string[], isTable?: boolean) => void
  /** Writes column headings, here and at the top of each following page. */
  readonly heads: (columns: readonly Column[], texts: readonly string[]) => void
  /** Writes the footers. Call this last. */
  readonly finish: (name: string) => void
}

/** US Letter, in points. */
const paper = { width: 612, height: 792, margin: 56, footer: 32 } as const
const innerWidth = paper.width - 2 * paper.margin

const title: TextStyle = { bold: true, size: 18, gray: 0 }
const subtitle: TextStyle = { bold: false, size: 11, gray: 0.35 }
const heading: TextStyle = { bold: true, size: 12, gray: 0 }
const label: TextStyle = { bold: true, size: 9.5, gray: 0.3 }
const body: TextStyle = { bold: false, size: 9.5, gray: 0 }
const footer: TextStyle = { bold: false, size: 8, gray: 0.35 }

const pair: readonly Column[] = [
  { x: 0, width: 140, style: label },
  { x: 152, width: innerWidth - 152, style: body },
]
const stepColumns = [
  { x: 6, width: 112 },
  { x: 128, width: 144 },
  { x: 282, width: 108 },
  { x: 400, width: innerWidth - 402 },
] as const
const stepHeads = ['Stop', 'Person', 'Action', 'Date'] as const

/** Line height in relation to the font size. */
const leading = 1.35
/** Space above and below the text of a table row, in points. */
const padding = 4
/** Rows with at most this number of lines are not split across pages. */
const linesKeptTogether = 12

/**
 * Creates the PDF of a package. The same content gives the same bytes, and no content makes it reject. Loads the PDF
 * library at the first call.
 *
 * The standard fonts have the characters of Windows-1252 only; see `writable()` for the others. The title in the file
 * properties keeps all characters.
 */
export async function createPdf(content: PdfContent): Promise<Uint8Array<ArrayBuffer>> {
  const library = await import('@pdfme/pdf-lib')
  const document = await library.PDFDocument.create({ updateMetadata: false })
  setProperties(document, content)
  writePackage(await createWriter(library, document), content)
  for (const attachment of content.attachments ?? []) await appendPdf(library, document, attachment)
  return document.save()
}

function setProperties(document: PDFDocument, { title, routingDate }: PdfContent): void {
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setLanguage('en')
  document.setCreator('Routeslip emulator')
  const date = parseTimestamp(routingDate)
  if (!date) return
  const instant = new Date(Date.UTC(date.year, date.month - 1, date.day, date.hour, date.minute, date.second))
  document.setCreationDate(instant)
  document.setModificationDate(instant)
}

function writePackage(writer: Writer, content: PdfContent): void {
  const { packageId, fields, routing } = content
  const name = `Package ${packageId}`
  writer.row(whole(title), [content.title])
  writer.row(whole(subtitle), [name])
  writer.space(10)
  writer.row(pair, ['State', content.state], true)
  if (content.subType !== null) writer.row(pair, ['Sub-type', content.subType], true)
  writer.row(pair, ['Initiator', content.initiator], true)
  writer.row(pair, ['Routing date', formatDate(content.routingDate)], true)

  if (fields.length > 0) {
    writeHeading(writer, 'Entry')
    for (const field of fields) writer.row(pair, [field.label, field.value], true)
  }
  if (routing) {
    writeHeading(writer, 'Routing history')
    writer.heads(
      stepColumns.map((column) => ({ ...column, style: label })),
      stepHeads,
    )
    const columns = stepColumns.map((column) => ({ ...column, style: body }))
    for (const { stop, person, action, date } of routing) {
      writer.row(columns, [stop, person, action, formatDate(date)], true)
    }
    if (routing.length === 0) writer.row(columns, ['None yet'], true)
  }
  writer.finish(name)
}

function writeHeading(writer: Writer, text: string): void {
  writer.space(22)
  // Keep the heading on the same page as the first row below it.
  writer.need(90)
  writer.row(whole(heading), [text])
  writer.space(3)
}

function whole(style: TextStyle): readonly Column[] {
  return [{ x: 0, width: innerWidth, style }]
}

/** Formats a local date-time with a space instead of the `T`. Other texts are returned unchanged. */
function formatDate(date: string): string {
  return parseTimestamp(date) ? date.replace('T', ' ') : date
}

async function createWriter(library: Library, document: PDFDocument): Promise<Writer> {
  const regular = createFace(await document.embedFont(library.StandardFonts.Helvetica))
  const bold = createFace(await document.embedFont(library.StandardFonts.HelveticaBold))
  let page = addPage()
  const pages = [page]
  let y = paper.height - paper.margin
  let repeat: (() => void) | undefined

  function addPage() {
    const page = document.addPage([paper.width, paper.height])
    // Register the fonts once per page: `page.drawText()` would register them again for each text.
    const regularKey = page.node.newFontDictionary('Regular', regular.font.ref)
    const boldKey = page.node.newFontDictionary('Bold', bold.font.ref)
    return { page, keyOf: (style: TextStyle) => (style.bold ? boldKey : regularKey) }
  }

  function turn(): void {
    page = addPage()
    pages.push(page)
    y = paper.height - paper.margin
    repeat?.()
  }

  function need(height: number): void {
    if (y - height < paper.margin) turn()
  }

  function drawLine(on: typeof page, line: string, style: TextStyle, x: number, baseline: number): void {
    const { font } = style.bold ? bold : regular
    on.page.pushOperators(
      library.beginText(),
      library.setFillingGrayscaleColor(style.gray),
      library.setFontAndSize(on.keyOf(style), style.size),
      library.moveText(paper.margin + x, baseline),
      library.showText(font.encodeText(line)),
      library.endText(),
    )
  }

  function row(columns: readonly Column[], texts: readonly string[], isTable = false): void {
    const cells = columns.map(({ x, width, style }, index) => {
      const { knows, measure } = style.bold ? bold : regular
      return { x, style, lines: wrap(writable(texts[index] ?? '', knows), width / style.size, measure) }
    })
    const height = leading * Math.max(...columns.map(({ style }) => style.size))
    const count = Math.max(...cells.map(({ lines }) => lines.length))
    const room = isTable ? padding : 0

    need(Math.min(count, count > linesKeptTogether ? 1 : count) * height + room)
    y -= room
    for (let index = 0; index < count; index++) {
      need(height)
      y -= height
      for (const { x, style, lines } of cells) {
        const line = lines[index]
        if (line) drawLine(page, line, style, x, y + height * 0.28)
      }
    }
    y -= room
    if (!isTable) return
    const [start, end] = [
      { x: paper.margin, y },
      { x: paper.width - paper.margin, y },
    ]
    page.page.drawLine({ start, end, thickness: 0.5, color: library.grayscale(0.8) })
  }

  return {
    space(height) {
      if (y < paper.height - paper.margin) y -= height
    },
    need,
    row,
    heads(columns, texts) {
      repeat = () => {
        const height = leading * label.size + 2 * padding
        page.page.drawRectangle({
          x: paper.margin,
          y: y - height,
          width: innerWidth,
          height,
          color: library.grayscale(0.93),
        })
        row(columns, texts, true)
      }
      repeat()
    },
    finish(name) {
      for (const [index, sheet] of pages.entries()) {
        const number = `Page ${index + 1} of ${pages.length}`
        const end = innerWidth - regular.measure(number) * footer.size
        drawLine(sheet, name, footer, 0, paper.footer)
        drawLine(sheet, number, footer, end, paper.footer)
      }
    },
  }
}

function createFace(font: PDFFont): Face {
  const known = new Set(font.getCharacterSet())
  const widths = new Map<string, number>()
  const widthOf = (character: string): number => {
    const width = widths.get(character) ?? font.widthOfTextAtSize(character, 1)
    widths.set(character, width)
    return width
  }
  return {
    font,
    knows: (character) => known.has(character.codePointAt(0) ?? -1),
    // Character by character, because texts are written without kerning.
    measure: (text) => Array.from(text).reduce((sum, character) => sum + widthOf(character), 0),
  }
}

/** Appends the pages of a PDF. If the file cannot be read, removes the objects that were already copied. */
async function appendPdf(library: Library, document: PDFDocument, file: Uint8Array): Promise<void> {
  const { context } = document
  const last = context.largestObjectNumber
  try {
    const source = await library.PDFDocument.load(file, { updateMetadata: false })
    const pages = await document.copyPages(source, source.getPageIndices())
    for (const page of pages) document.addPage(page)
  } catch {
    for (const [ref] of context.enumerateIndirectObjects()) {
      if (ref.objectNumber > last) context.delete(ref)
    }
    context.largestObjectNumber = last
  }
}
