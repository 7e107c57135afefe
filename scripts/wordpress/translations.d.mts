/** Reads a .po file, and writes a .mo file. See translations.mjs. */
export function parseTranslations(po: string): ReadonlyMap<string, string>
export function toBinary(translations: ReadonlyMap<string, string>): Buffer
