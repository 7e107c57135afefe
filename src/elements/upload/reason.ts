import { html, nothing } from 'lit'
import { RefusedError } from '../../client/index.ts'
import { editions } from '../text/added-languages.ts'

/**
 * Returns why the proxy or the service refused something; an empty string if they did not, or gave no reason. A size limit
 * needs none. The reasons of the proxy are English, so that a page in English downloads none of them.
 */
export function reasonText(error: unknown, language: string | undefined): string {
  if (!(error instanceof RefusedError) || error.status === 413) return ''
  const edition = [...editions.values()].find(({ locale }) => locale === language)
  const texts: Readonly<Record<string, string>> = edition?.messages?.refusals ?? {}
  return texts[error.code!]?.replace('{types}', error.types!) ?? error.detail ?? ''
}

/** Renders the same. A reason without a translation is marked as English. */
export function renderReason(error: unknown, language: string | undefined): unknown {
  const text = reasonText(error, language)
  return text && html`<bdi lang=${text === (error as RefusedError).detail ? 'en' : nothing}>${text}</bdi>`
}
