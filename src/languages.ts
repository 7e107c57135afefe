// The entry `routeslip/languages`: languages of your own without the elements.
export { addLanguage } from './elements/text/added-languages.ts'
export type { Messages } from './locales/messages.ts'
