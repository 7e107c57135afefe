import type * as fields from './form-fields.ts'

/** Loads the code that reads and writes the fields. The page has shown its form before. */
export async function loadFields(): Promise<typeof fields> {
  return await import('./form-fields.ts')
}
