/** Returns the path of a request exactly as the client wrote it. */
export function pathOf({ url }: Request): string {
  const { address } = splitUrl(url)
  return address.slice(address.indexOf('/', address.indexOf('//') + 2))
}

/** Returns the search parameters of a request, without the question mark; `undefined` if the URL has none. */
export function searchOf({ url }: Request): string | undefined {
  return splitUrl(url).search
}

/** Splits a URL at its question mark and drops the fragment. */
function splitUrl(url: string): { readonly address: string; readonly search: string | undefined } {
  const hash = url.indexOf('#')
  const whole = hash < 0 ? url : url.slice(0, hash)
  const mark = whole.indexOf('?')
  if (mark < 0) return { address: whole, search: undefined }
  return { address: whole.slice(0, mark), search: whole.slice(mark + 1) }
}
