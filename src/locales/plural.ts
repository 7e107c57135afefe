/** Forms of one text by the plural category of its number (CLDR). `#` stands for the number. */
export type Forms = { readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string }

/** Chooses the form that goes with a number, and writes the number as the language does. */
export function plural(language: string): (number: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  const format = new Intl.NumberFormat(language)
  return (number, forms) =>
    (forms[rules.select(number)] ?? forms.other).replace('#', () => format.format(number))
}
