/** Forms of one text by the plural category of its number (CLDR). `#` is replaced by the number. */
export type Forms = { readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string }

/** Returns a function that chooses the form for a number and formats the number. */
export function plural(language: string): (number: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  const format = new Intl.NumberFormat(language)
  return (number, forms) =>
    (forms[rules.select(number)] ?? forms.other).replace('#', () => format.format(number))
}
