/** Types of `test-files.mjs`, as far as tests use it. */

/** Returns the paths of all test files. */
export function listTestFiles(): string[]

/** Whether a test file runs in Node. */
export function isNodeTest(file: string): boolean

/** Whether the gate runs a browser test in Firefox and WebKit too. */
export function dependsOnEngine(file: string): boolean
