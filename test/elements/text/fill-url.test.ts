import { expect, fixture, html } from '@open-wc/testing'
import { nothing, render } from 'lit'
import { fillUrl } from '../../../src/elements/text/fill-url.ts'
import { renderSignedOut, renderSignIn, signInAddress } from '../../../src/elements/notices/signed-out.ts'
import { common } from '../../../src/locales/en.ts'
import { textsOf } from '../texts.ts'

const texts = textsOf(common)
const here = encodeURIComponent(location.href)

describe('fillUrl()', () => {
  it('fills in the placeholders, and resolves the address against the page', () => {
    const values = { formId: 6025, packageId: 'a b', signatureId: null, other: undefined }
    for (const [template, url] of [
      ['https://a.example/{formId}/{formId}?p={packageId}', 'https://a.example/6025/6025?p=a%20b'],
      ['http://a.example/{formId}', 'http://a.example/6025'],
      ['/sign/{formId}', `${location.origin}/sign/6025`],
      ['/{signatureId}/{other}/{unknown}', `${location.origin}/%7BsignatureId%7D/%7Bother%7D/%7Bunknown%7D`],
    ] as const)
      expect(fillUrl(template, values), template).to.equal(url)
  })

  it('returns nothing without a template, and for an address that is not of the web', () => {
    for (const template of [
      undefined,
      '',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.example/http:',
      'xhttp:a',
      'https://',
      '{scheme}:alert(1)',
    ])
      expect(fillUrl(template, { scheme: 'javascript' }), template).to.equal(undefined)
  })
})

describe('signInAddress()', () => {
  it('leads back to this page', () => {
    expect(signInAddress('/login?from={returnUrl}')).to.equal(`${location.origin}/login?from=${here}`)
    expect(signInAddress('javascript:alert(1)')).to.equal(undefined)
    expect(signInAddress(undefined)).to.equal(undefined)
  })
})

describe('renderSignedOut() and renderSignIn()', () => {
  it('link to the page where people sign in if its address is known', async () => {
    const url = `${location.origin}/login`
    for (const [template, expected] of [
      [
        renderSignedOut(texts, '/login', '_blank'),
        `You are signed out. <a part="sign-in" href="${url}" target="_blank">Sign in</a>`,
      ],
      [
        renderSignedOut(texts, '/login'),
        `You are signed out. <a part="sign-in" href="${url}" target="">Sign in</a>`,
      ],
      [renderSignedOut(texts, undefined), 'You are signed out. Sign in, then return to this page.'],
      [renderSignIn(texts, '/login'), `<a part="sign-in" target="_blank" href="${url}">Sign in</a>`],
      [renderSignIn(texts, ''), ''],
    ] as const) {
      const box = await fixture(html`<p></p>`)
      render(template, box as HTMLElement)
      expect(box.innerHTML.replace(/<!--.*?-->/g, '')).to.equal(expected)
    }
    expect(renderSignIn(texts, undefined)).to.equal(nothing)
  })
})
