import type { PageFiles } from './page-files.ts'

/** Loads what uploads the files in inputs of the page. Few forms have one. */
export async function loadPageFiles(): Promise<typeof PageFiles> {
  return (await import('./page-files.ts')).PageFiles
}
