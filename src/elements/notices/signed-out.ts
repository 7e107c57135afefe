import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'
import { fillUrl } from '../text/fill-url.ts'

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

/** Renders a link that opens the page where people sign in in another tab, so that what they typed stays. */
export function renderSignIn({ signIn }: Texts['common'], signInUrl: string | undefined): unknown {
  const url = signInAddress(signInUrl)
  return url ? html`<a part="sign-in" href=${url} target="_blank">${signIn}</a>` : nothing
}

/** Returns the address of the page where people sign in, and from which they return to this one; `undefined` without one. */
export function signInAddress(signInUrl: string | undefined): string | undefined {
  return fillUrl(signInUrl, { returnUrl: encodeURIComponent(location.href) })
}
