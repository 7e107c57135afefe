/** Why a file was not sent. The service and the proxy know nothing of it. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  /** `unreadable`: a folder, or a file that was moved, changed or locked after it was chosen. */
  readonly kind: 'tooLarge' | 'wrongType' | 'notPdf' | 'empty' | 'unreadable'

  constructor(kind: FileProblem['kind']) {
    super(`The file was not sent: ${kind}`)
    this.kind = kind
  }
}
