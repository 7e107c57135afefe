import type { Messages } from './messages.ts'

/**
 * The languages besides English, which is part of the elements. Each loads when a page first needs it. To add a
 * language, translate all English messages in a new file and add a line here. docs/languages.md describes their format.
 */
export const languages: Readonly<Record<string, () => Promise<Messages>>> = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  hi: () => import('./hi.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  'pt-BR': () => import('./pt-BR.ts'),
  ru: () => import('./ru.ts'),
  vi: () => import('./vi.ts'),
  'zh-Hans': () => import('./zh-Hans.ts'),
}
