import { personHeader } from '../contract/headers.ts'

/** One multipart request on its way, and what becomes of it. */
export interface UploadRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: FormData
  readonly signal?: AbortSignal | undefined
  /** Called as bytes leave: `sent` of `total` bytes of the whole body; with zero as it begins. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
}

/** Sends a multipart body. Rejects with the signal's reason when aborted, with a `TypeError` when the network failed. */
export type Upload = (request: UploadRequest) => Promise<Response>

/** Sends by XMLHttpRequest: what browsers offer for progress that is true. */
export const xhrUpload: Upload = ({ url, headers, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()

    xhr.open('POST', url)
    xhr.withCredentials = true
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onloadstart = xhr.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total)
    xhr.onload = () => {
      const headers = new Headers()
      for (const name of ['content-type', 'retry-after', personHeader]) {
        const value = xhr.getResponseHeader(name)
        if (value !== null) headers.set(name, value)
      }
      // Some statuses allow no body, not even an empty one.
      resolve(new Response(xhr.responseText || null, { status: xhr.status, headers }))
    }
    xhr.onerror = () => reject(new TypeError('The connection failed'))
    xhr.onabort = () => reject(signal?.reason as Error)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    xhr.send(body)
  })
