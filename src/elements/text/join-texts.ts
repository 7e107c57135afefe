import { loading } from '../../locales/en-loading.ts'
import { messagesFor } from './messages.ts'

/**
 * Joins the entries of a list, with the separator of an element's language. `Intl.ListFormat` has no such style: its shortest
 * ones join Chinese and Japanese texts without a mark.
 */
export function joinTexts(host: HTMLElement, texts: readonly string[]): string {
  return texts.join(messagesFor(host, 'common', loading).separator)
}
