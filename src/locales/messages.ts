import type * as en from './en.ts'
import type * as actions from './en-package-actions.ts'

/** Every visible word of the elements in one language, by element. */
export type Messages = typeof en & typeof actions

/** Name of the words of one element, or of those that all share. */
export type Section = Exclude<keyof Messages, 'language'>
