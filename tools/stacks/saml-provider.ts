import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'

/** The part of xml-crypto that signs. */
export interface XmlCrypto {
  readonly SignedXml: new (options: Readonly<Record<string, string>>) => {
    readonly addReference: (reference: {
      readonly xpath: string
      readonly digestAlgorithm: string
      readonly transforms: readonly string[]
    }) => void
    readonly computeSignature: (xml: string, options: { readonly location: object }) => void
    readonly getSignedXml: () => string
  }
}

export interface SamlProviderOptions {
  /** Address of the provider, which is also its name. */
  readonly address: string
  /** Key and certificate, as PEM. */
  readonly key: string
  readonly certificate: string
  /** Name of the site that people sign in to, and the address that receives responses. */
  readonly audience: string
  readonly receiver: string
  /** Returns the values of attributes by their names. */
  readonly attributesOf: (name: string) => Readonly<Record<string, readonly string[]>>
  readonly SignedXml: XmlCrypto['SignedXml']
}

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
const assertions = 'urn:oasis:names:tc:SAML:2.0:assertion'

/** An identity provider for SAML 2.0 that lets everyone in by their name, and keeps no session. */
export function createSamlProvider(options: SamlProviderOptions): RequestListener {
  return (request, response) => {
    const { searchParams } = new URL(request.url ?? '', options.address)
    if (request.method !== 'POST') {
      response.end(`<form method="post" action="/?${searchParams}"><input name="login"></form>`)
      return
    }
    void text(request).then((body) => {
      const asked = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
      const name = new URLSearchParams(body).get('login') ?? ''
      const signed = sign(respond(options, name, / ID="([^"]+)"/.exec(asked)?.[1] ?? ''), options)
      response.end(`<form method="post" action="${options.receiver}">
<input name="SAMLResponse" value="${Buffer.from(signed).toString('base64')}">
<input name="RelayState" value="${searchParams.get('RelayState')}"></form>`)
    })
  }
}

/** Returns the metadata of the provider. It may name people of the domain `scope`. */
export function samlMetadata(
  { address, certificate }: Pick<SamlProviderOptions, 'address' | 'certificate'>,
  scope: string,
): string {
  const key = certificate.replaceAll(/-----.*-----|\n/g, '')
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${address}">
<IDPSSODescriptor protocolSupportEnumeration="${protocol}">
<Extensions><shibmd:Scope xmlns:shibmd="urn:mace:shibboleth:metadata:1.0">${scope}</shibmd:Scope></Extensions>
<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
<X509Certificate>${key}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${address}/"/>
</IDPSSODescriptor></EntityDescriptor>`
}

function respond(
  { address, audience, receiver, attributesOf }: SamlProviderOptions,
  name: string,
  question: string,
): string {
  const now = new Date().toISOString()
  const end = new Date(Date.now() + 300_000).toISOString()
  const id = () => `_${randomBytes(16).toString('hex')}`
  const attributes = Object.entries(attributesOf(name)).map(
    ([key, values]) =>
      `<Attribute Name="${key}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri">${values
        .map((value) => `<AttributeValue>${value}</AttributeValue>`)
        .join('')}</Attribute>`,
  )
  return `<samlp:Response xmlns:samlp="${protocol}" xmlns="${assertions}" ID="${id()}" Version="2.0" IssueInstant="${now}" Destination="${receiver}" InResponseTo="${question}"><Issuer>${address}</Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><Assertion ID="${id()}" Version="2.0" IssueInstant="${now}"><Issuer>${address}</Issuer><Subject><NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">${id()}</NameID><SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><SubjectConfirmationData InResponseTo="${question}" NotOnOrAfter="${end}" Recipient="${receiver}"/></SubjectConfirmation></Subject><Conditions NotBefore="${now}" NotOnOrAfter="${end}"><AudienceRestriction><Audience>${audience}</Audience></AudienceRestriction></Conditions><AuthnStatement AuthnInstant="${now}"><AuthnContext><AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</AuthnContextClassRef></AuthnContext></AuthnStatement><AttributeStatement>${attributes.join('')}</AttributeStatement></Assertion></samlp:Response>`
}

function sign(xml: string, { key, certificate, SignedXml }: SamlProviderOptions): string {
  const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#'
  const signed = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    canonicalizationAlgorithm: canonical,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  })
  signed.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonical],
  })
  signed.computeSignature(xml, { location: { reference: "/*/*[local-name()='Issuer']", action: 'after' } })
  return signed.getSignedXml()
}
