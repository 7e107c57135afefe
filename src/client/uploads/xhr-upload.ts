import { callHeader, eventHeader, personHeader } from '../../contract/values/headers.ts'

/** One multipart request. */
export interface UploadRequest {
  /** Address of the request. */
  readonly url: string
  /** Headers of the request. */
  readonly headers: Readonly<Record<string, string>>
  /** The parts of the body, in the order in which the proxy reads them. */
  readonly body: FormData
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes of the whole body that have been sent; first with 0. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
}

/** Sends a multipart body. Rejects with the signal's reason if aborted, with a `TypeError` if the network fails. */
export type Upload = (request: UploadRequest) => Promise<Response>

/** Sends with XMLHttpRequest, because `fetch` does not report the progress of an upload. */
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
      for (const name of ['content-type', 'retry-after', callHeader, personHeader, eventHeader]) {
        const value = xhr.getResponseHeader(name)
        if (value !== null) headers.set(name, value)
      }
      // Statuses such as 204 do not allow a body, not even an empty one.
      // Chromium takes what has arrived of a status line for the whole: `HTTP/1.1 20` has the status 20.
      resolve(new Response(xhr.responseText || null, { status: Math.max(200, xhr.status), headers }))
    }
    xhr.onerror = () => reject(new TypeError('The connection failed'))
    xhr.onabort = () => reject(signal?.reason as Error)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    xhr.send(body)
  })
