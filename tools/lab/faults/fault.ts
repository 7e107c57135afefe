/** A test, by its file and a part of its full name. */
export interface TestName {
  readonly file: string
  readonly test: string
}

/** A defence that is removed from the source code: `from`, which the file contains exactly once, becomes `to`. */
export interface Removal {
  readonly file: string
  readonly from: string
  readonly to: string
  /** The test that has to fail without the defence. */
  readonly noticedBy: TestName
}

/** A row of the fault laboratory. */
export interface Fault {
  readonly id: string
  /** The group of the fault, a heading of the page. */
  readonly fault: string
  /** What a person sees. */
  readonly page: string
  /** What is in the services, or in our own storage, afterwards. */
  readonly services: string
  /** The tests that cause the fault and verify both. */
  readonly proofs: readonly TestName[]
  /** Shows that the tests can fail. */
  readonly control: Removal
}

/** Returns the name of a test. Browser tests of the elements are below `test/elements`. */
export function named(file: string, test: string): TestName {
  return { file: `test/${file}.test.ts`, test }
}

/** Returns a removal. */
export function without(file: string, from: string, to: string, noticedBy: TestName): Removal {
  return { file: `src/${file}.ts`, from, to, noticedBy }
}
