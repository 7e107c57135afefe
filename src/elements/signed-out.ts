import { html, type TemplateResult } from 'lit'
import type { Texts } from '../locales/messages.ts'
import { fillUrl } from './fill-url.ts'

/**
 * Renders that the person is signed out, with a link to the page where they sign in, if its address is known. `target` is
 * `_blank` if something would be lost with this page.
 */
export function renderSignedOut(
  { signedOut, isSignedOut, signIn }: Texts['common'],
  signInUrl: string | undefined,
  target = '',
): TemplateResult | string {
  const url = signInAddress(signInUrl)
  return url ? html`${isSignedOut} <a part="sign-in" href=${url} target=${target}>${signIn}</a>` : signedOut
}

/** Returns the address of the page where people sign in, and from which they return to this one; `undefined` without one. */
export function signInAddress(signInUrl: string | undefined): string | undefined {
  return fillUrl(signInUrl, { returnUrl: encodeURIComponent(location.href) })
}
