// Limits of our own builds. The benchmarks print them, and `npm test` enforces those of `weight`.

/** A limit in kilobytes (1 kB = 1,000 bytes), min + gzip, of what a page fetches at once. */
export interface Limit {
  /** The goal: the maximum that we want. */
  readonly wanted: number
  /** The current size, with little room. If you add more, change it here and in the README. */
  readonly admitted: number
}

export type Tag =
  | 'wf-package-status'
  | 'wf-badge'
  | 'fs-uploader'
  | 'wf-history'
  | 'wf-comments'
  | 'wf-attachments'

/**
 * An element alone, with everything it needs, in a bundle of the site's own. 0.2 kB of each use the response of a request that
 * the scripts in `dist` send before the elements' code runs.
 */
export const elementLimits: Readonly<Record<Tag, Limit>> = {
  // 0.5 kB of it are the headline of each state.
  'wf-package-status': { wanted: 20, admitted: 31.2 },
  'wf-badge': { wanted: 7, admitted: 11.4 },
  // 0.3 kB of it let it leave a notice to an element above.
  'fs-uploader': { wanted: 20, admitted: 37.55 },
  'wf-history': { wanted: 20, admitted: 28.55 },
  'wf-comments': { wanted: 20, admitted: 25.05 },
  'wf-attachments': { wanted: 20, admitted: 37.7 },
}

/** Elements that are not part of `routeslip.js`. */
export const addedTags = [
  'fs-shares',
  'fs-files',
  'wf-form',
  'wf-office',
  'wf-overrides',
  'wf-route',
  'wf-list',
] as const

/**
 * What an element adds to what a page with all others fetches at once: its own code, without what it shares with another
 * element. Parts that load on demand are not needed for the first paint; `test/e2e/lazy.node.test.ts` proves it.
 */
export const addedLimits = {
  // Its code compresses 30 bytes worse since the local copies of `<wf-form>` load later.
  'fs-shares': { wanted: 5, admitted: 4.77 },
  // Its code compresses 60 bytes worse since the fields of `<wf-form>` are a file of their own.
  'fs-files': { wanted: 6, admitted: 6.1 },
  // 6.1 kB more, which read, write and keep the fields, and say what is known about the request, load beside the session, after the page has shown its form.
  'wf-form': { wanted: 9, admitted: 7.2 },
  // 0.17 kB of it draw the rail of a history and find the name of the office.
  'wf-route': { wanted: 3, admitted: 3.25 },
  // Its texts compress a few bytes worse since those of each element are a module of their own.
  'wf-overrides': { wanted: 5, admitted: 5.75 },
  'wf-office': { wanted: 4, admitted: 3.9 },
  // 0.11 kB of it place the field that `title-field` names.
  'wf-list': { wanted: 6, admitted: 4.13 },
} as const satisfies Readonly<Record<string, Limit>>

/** `dist/routeslip.js`, without the parts that load when a page or a person needs them. */
// 0.35 kB of it draw the status before everything else, and keep the page in its place meanwhile.
export const dropInLimit: Limit = { wanted: 38, admitted: 40.75 }

/** The same with the elements that upload files: what the demo page fetches for its first paint. */
// 0.06 kB of it find `<wf-list>` and the languages of new messages.
export const dropInWithUploadsLimit: Limit = { wanted: 38, admitted: 60.8 }

/** `dist/routeslip-autoload.js`, on a page that has no element. 0.2 kB of it request the package before the
 * elements load, 0.15 kB leave the elements of another copy to it, and 0.7 kB name the files of each element.
 */
export const autoloadLimit: Limit = { wanted: 2.7, admitted: 3.7 }

/** The same on pages with these elements. They share code with other elements, so they load more than they use. */
export const autoloadedLimits: readonly (Limit & { readonly tags: readonly string[] })[] = [
  { tags: ['wf-badge'], wanted: 11, admitted: 31.5 },
  { tags: ['wf-comments'], wanted: 20, admitted: 30.7 },
  { tags: ['wf-history'], wanted: 22, admitted: 34.1 },
  { tags: ['wf-package-status'], wanted: 23, admitted: 37.5 },
  { tags: ['fs-uploader'], wanted: 34, admitted: 47.7 },
  { tags: ['wf-package-status', 'wf-history'], wanted: 27, admitted: 43.8 },
  {
    tags: ['wf-package-status', 'wf-history', 'wf-comments', 'wf-attachments'],
    wanted: 45,
    admitted: 65.2,
  },
]

/** The benchmark `fair`: the 99th percentile of another person's read in ms, and the peak memory of the proxy in MB. */
export const fairLimits = { p99: 1000, peak: 256 }

/** The same percentile while one person reads the largest history that the proxy accepts. */
export const largestHistoryP99 = 300
