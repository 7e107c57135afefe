/** Why a file was not sent. The service and the proxy know nothing of it. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  /** `unreadable`: a folder, or a file that was moved, changed or locked after it was chosen. */
  readonly kind: 'tooLarge' | 'wrongType' | 'notPdf' | 'empty' | 'unreadable'
  /** Maximum size in bytes. */
  readonly limit: number

  /** The extensions that are accepted, such as `.pdf`; empty if they are not known. */
  readonly types: readonly string[]

  constructor(kind: FileProblem['kind'], limit = Infinity, types: readonly string[] = []) {
    super(`The file was not sent: ${kind}`)
    this.kind = kind
    this.limit = limit
    this.types = types
  }
}
