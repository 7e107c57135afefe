/** Fills in an address template. Returns `undefined` without a template, or if the result is not an HTTP address. */
export function fillUrl(
  template: string | undefined,
  values: Readonly<Record<string, number | string | null | undefined>>,
): string | undefined {
  if (!template) return undefined
  const filled = template.replace(/{(\w+)}/g, (all, name: string) => `${values[name] ?? all}`)
  // Anyone who edits the page may have written the template, so it must not run as script.
  const url = URL.canParse(filled, document.baseURI) ? new URL(filled, document.baseURI) : undefined
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
