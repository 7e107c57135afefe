import type { Sanitize } from './html.ts'

/**
 * Creates a function that sanitizes HTML, and remembers the results: pages read the same details again and again, and
 * sanitizing them takes longer than everything else about a package. The results depend on nothing but the HTML, so they are
 * the same for everyone. `maxSize` is the number of characters that are remembered, by default two million.
 */
export function createCleanHtml(
  maxSize = 2_000_000,
): (html: string, sanitize: Sanitize) => string | undefined | Promise<string | undefined> {
  // Two generations instead of one map in the order of use: nothing changes while the same details are read again.
  let newer = new Map<string, string | undefined>()
  let older = new Map<string, string | undefined>()
  let size = 0

  function remember(html: string, clean: string | undefined): string | undefined {
    const added = html.length + (clean?.length ?? 0)
    if (newer.has(html) || added > maxSize / 2) return clean
    if (size + added > maxSize / 2) {
      older = newer
      newer = new Map()
      size = 0
    }
    newer.set(html, clean)
    size += added
    return clean
  }

  return (html, sanitize) => {
    if (newer.has(html)) return newer.get(html)
    if (older.has(html)) return remember(html, older.get(html))
    const clean = sanitize(html)
    return clean instanceof Promise ? clean.then((result) => remember(html, result)) : remember(html, clean)
  }
}
