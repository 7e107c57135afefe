/** Types of `quick-checks.mjs`. */
export interface Part {
  readonly name: string
  readonly hash: string
  readonly file?: string
}

export function partsOf(
  check: {
    readonly name: string
    readonly quick: {
      readonly settings: readonly string[]
      readonly files: RegExp
      readonly by: 'content' | 'types' | 'imports'
    }
  },
  files: readonly string[],
  read: (file: string) => string,
): readonly Part[]
