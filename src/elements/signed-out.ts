import { html, type TemplateResult } from 'lit'
import type { Texts } from '../locales/messages.ts'
import { fillUrl } from './fill-url.ts'

/** Renders that the person is signed out, with a link to the page where they sign in, if its address is known. */
export function renderSignedOut(
  { signedOut, isSignedOut, signIn }: Texts['common'],
  signInUrl: string | undefined,
): TemplateResult | string {
  const url = fillUrl(signInUrl, { returnUrl: encodeURIComponent(location.href) })
  return url ? html`${isSignedOut} <a part="sign-in" href=${url}>${signIn}</a>` : signedOut
}
