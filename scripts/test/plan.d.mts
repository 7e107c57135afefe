/** Types of `plan.mjs`, as far as tests use it. */

/** Divides browser test files into pages. */
export function pagesOf(files: readonly string[]): readonly (readonly string[])[]
