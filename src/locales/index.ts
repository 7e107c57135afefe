import type { Messages } from './messages.ts'

/**
 * Languages besides English, which comes with the elements; each is fetched when a page first needs it. A language is
 * added by a file of its own, that says all that `en.ts` says, and its line here.
 */
export const languages: Readonly<Record<string, () => Promise<Messages>>> = {
  es: () => import('./es.ts'),
}
