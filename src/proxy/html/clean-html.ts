import type { Sanitize } from './html.ts'

/**
 * Creates a function that sanitizes HTML, and remembers the results: pages read the same details again and again, and
 * sanitizing them takes longer than everything else about a package. The results depend on nothing but the HTML, so they are
 * the same for everyone. `maxSize` is the number of characters that are remembered, by default two million.
 */
export function createCleanHtml(
  maxSize = 2_000_000,
): (html: string, sanitize: Sanitize) => Promise<string | undefined> {
  /** The one that was used last is at the end. */
  const known = new Map<string, string | undefined>()
  let size = 0

  function remember(html: string, clean: string | undefined): void {
    if (known.has(html)) size -= sizeOf(html, known.get(html))
    known.delete(html)
    known.set(html, clean)
    size += sizeOf(html, clean)
    for (const [oldest, result] of known) {
      if (size <= maxSize) return
      known.delete(oldest)
      size -= sizeOf(oldest, result)
    }
  }

  return async (html, sanitize) => {
    const clean = known.has(html) ? known.get(html) : await sanitize(html)
    remember(html, clean)
    return clean
  }
}

function sizeOf(html: string, clean = ''): number {
  return html.length + clean.length
}
