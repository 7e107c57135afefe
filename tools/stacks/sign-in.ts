// The recipes for sign-in in docs/stacks: Apache with its modules, or signed tokens, in front of `routeslip proxy`. The identity
// providers run on this machine.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { freePort } from '../../test/free-port.mjs'
import {
  endAll,
  exampleEnv,
  fromPage,
  frontSecret,
  sendRequest,
  start,
  type Started,
  startEmulator,
  until,
  watch,
  without,
} from '../../test/cli/proxy-command.ts'
import { people } from '../../test/proxy/mount.ts'
import { createSamlProvider, samlMetadata, type XmlCrypto } from './saml-provider.ts'

const packages = ['oidc-provider@9.13.3', 'xml-crypto@6.3.2']
const modules = '/usr/lib/apache2/modules'
const clientSecret = randomBytes(32).toString('hex')
const group = 'northfield:registrar'
const id = people.initiator
/** Names of the attributes eduPersonPrincipalName and eduPersonEntitlement. */
const eppn = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6'
const entitlement = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7'
const returnTo = 'http://127.0.0.1/return'

const policy = {
  groups: { registrar: { identity: [group] } },
  rules: [{ name: 'The registrar removes requests', groups: ['registrar'], operations: ['removePackage'] }],
}

describe('the recipes for sign-in', () => {
  let folder: string
  let emulator: string
  let login: string
  const servers: Server[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'routeslip-sign-in-'))
    // Apache's own user, whom it becomes if root starts it, needs its folder for sessions.
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
      cwd: folder,
    })
    emulator = await startEmulator()
  })
  after(async () => {
    await endAll()
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    rmSync(folder, { recursive: true })
  })

  /** Serves `listener` on this machine, and returns its address. */
  async function serve(port: number, listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return `http://127.0.0.1:${port}`
  }

  /** Imports an installed package. */
  async function load(name: string): Promise<unknown> {
    const entry = createRequire(join(folder, 'package.json')).resolve(name)
    return await import(pathToFileURL(entry).href)
  }

  /** Starts the proxy. `config` is for its own identity; without it, Apache signs people in. */
  async function startProxy(config: Readonly<Record<string, string>>): Promise<Started> {
    const env = without(exampleEnv(emulator), 'ROUTESLIP_ADMINS')
    return await start({ ...env, ROUTESLIP_POLICY: join(folder, 'policy.json'), ...config })
  }

  /** Starts Apache with the recipes of a sign-in and of the proxy, and returns the address of its site. */
  async function startApache(
    signIn: string,
    names: readonly string[],
    proxy: Started,
    { port, forward = recipe('apache') }: { readonly port: number; readonly forward?: string | undefined },
  ): Promise<string> {
    const url = `http://127.0.0.1:${port}`
    const place = mkdtempSync(join(folder, 'apache-'))
    chmodSync(place, 0o755)
    const sessions = join(place, 'sessions')
    mkdirSync(sessions)
    chmodSync(sessions, 0o777)
    mkdirSync(join(place, 'site'))
    writeFileSync(join(place, 'site/index.html'), 'My page')
    const secrets = join(place, 'front.conf')
    writeFileSync(
      secrets,
      `Define ROUTESLIP_FRONT ${frontSecret}
Define ROUTESLIP_OIDC_SECRET ${clientSecret}
Define ROUTESLIP_OIDC_SESSIONS ${randomBytes(16).toString('hex')}
`,
    )
    for (const [name, text] of Object.entries({ 'sign-in': signIn, forward })) {
      writeFileSync(
        join(place, `${name}.conf`),
        text
          .replaceAll('/etc/apache2/routeslip-front.conf', secrets)
          .replaceAll('/var/cache/apache2/mod_auth_cas/', `${sessions}/`)
          .replaceAll('https://login.example.edu', login)
          .replaceAll('https://forms.example.edu', url)
          .replaceAll('http://127.0.0.1:8090/', proxy.url),
      )
    }
    const loaded = [
      'mpm_event',
      'authn_core',
      'authz_core',
      'authz_user',
      'dir',
      'mime',
      'headers',
      'proxy',
      'proxy_http',
    ]
    const file = join(place, 'httpd.conf')
    writeFileSync(
      file,
      `ServerRoot ${place}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${place}/pid
ErrorLog ${place}/error.log
DefaultRuntimeDir ${place}
Mutex file:${place}
User www-data
Group www-data
${[...loaded, ...names].map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
TypesConfig /etc/mime.types
DocumentRoot ${place}/site
DirectoryIndex index.html
Include ${place}/sign-in.conf
Include ${place}/forward.conf
`,
    )
    const apache = process.env['APACHE'] ?? assert.fail('Run these tests with: npm run test:stacks')
    const started = watch(
      spawn(apache, ['-f', file, '-D', 'FOREGROUND'], { stdio: ['ignore', 'pipe', 'pipe'] }),
      'SIGTERM',
    )
    await until(async () => {
      assert.equal(started.child.exitCode, null, `Apache runs: ${started.errors()}`)
      return await sendRequest(url).then(
        () => true,
        () => false,
      )
    })
    return url
  }

  /** Serves an OpenID provider that lets everyone in by their name, and returns its address. */
  async function serveOpenId(redirects: readonly string[]): Promise<void> {
    const port = await freePort()
    login = `http://127.0.0.1:${port}`
    const { default: Provider } = (await load('oidc-provider')) as OidcProvider
    const issuer = new Provider(login, {
      clients: [
        {
          client_id: 'forms',
          client_secret: clientSecret,
          redirect_uris: redirects,
          post_logout_redirect_uris: redirects,
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username', 'groups', 'univid'] },
      conformIdTokenClaims: false,
      pkce: { required: () => false },
      findAccount: (_context, name) => ({
        accountId: name,
        claims: () => ({
          sub: name,
          preferred_username: name,
          univid: name.replace(/@.*/, ''),
          // The registrar's own name is the only one with a group.
          ...(name.startsWith(id) && { groups: ['staff', group] }),
        }),
      }),
    })
    await serve(port, issuer.callback())
  }

  const actions = '/forms/6025/packages/actions?id=42'
  const withGroups = { ROUTESLIP_GROUPS_HEADER: 'x-remote-groups' }
  const forged = { 'x-remote-user': id, 'x-remote-groups': group, 'x-routeslip-front': frontSecret }

  async function startOpenIdSite(forward?: string): Promise<Site> {
    const port = await freePort()
    const site = `http://127.0.0.1:${port}`
    await serveOpenId([`${site}/sign-in`, `${site}/`])
    const proxy = await startProxy(withGroups)
    await startApache(recipe('apache-openid-connect'), ['auth_openidc'], proxy, { port, forward })
    return { site, proxy }
  }

  async function startCasSite(forward?: string): Promise<Site> {
    const port = await freePort()
    login = await serve(await freePort(), createCas())
    const proxy = await startProxy(withGroups)
    const site = await startApache(recipe('apache-cas'), ['auth_cas'], proxy, { port, forward })
    return { site, proxy }
  }

  async function startShibbolethSite(forward?: string): Promise<Site> {
    const port = await freePort()
    const loginPort = await freePort()
    const listener = await freePort()
    const site = `http://127.0.0.1:${port}`
    login = `http://127.0.0.1:${loginPort}`
    const place = mkdtempSync(join(folder, 'shibboleth-'))
    chmodSync(place, 0o755)
    const [keyFile, certificateFile, metadataFile] = ['key.pem', 'certificate.pem', 'provider.xml'].map(
      (name) => join(place, name),
    ) as [string, string, string]
    const subject = ['-subj', '/CN=127.0.0.1', '-days', '1']
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        keyFile,
        '-out',
        certificateFile,
        ...subject,
      ],
      { stdio: 'ignore' },
    )
    const key = readFileSync(keyFile, 'utf8')
    const certificate = readFileSync(certificateFile, 'utf8')
    writeFileSync(metadataFile, samlMetadata({ address: login, certificate }, 'example.edu'))
    const { SignedXml } = (await load('xml-crypto')) as XmlCrypto
    const provider = createSamlProvider({
      address: login,
      key,
      certificate,
      audience: 'https://sp.example.org/shibboleth',
      receiver: `${site}/Shibboleth.sso/SAML2/POST`,
      attributesOf: (name) => ({
        [eppn]: [name],
        ...(name.startsWith(id) && { [entitlement]: ['staff', group] }),
      }),
      SignedXml,
    })
    await serve(loginPort, provider)

    // The configuration of the package, with what an operator has to change.
    const config = join(place, 'shibboleth2.xml')
    writeFileSync(
      config,
      readFileSync('/etc/shibboleth/shibboleth2.xml', 'utf8')
        .replace('https://idp.example.org/idp/shibboleth', login)
        .replace('handlerSSL="true" cookieProps="https"', 'handlerSSL="false" cookieProps="http"')
        .replaceAll(/"sp-\w+-key\.pem"/g, `"${keyFile}"`)
        .replaceAll(/"sp-\w+-cert\.pem"/g, `"${certificateFile}"`)
        .replace(
          '<AttributeExtractor',
          `<MetadataProvider type="XML" path="${metadataFile}"/><AttributeExtractor`,
        )
        .replace(
          /<OutOfProcess [^>]*\/>/,
          `<OutOfProcess logger="console.logger"/><InProcess logger="console.logger"/>
<TCPListener address="127.0.0.1" port="${listener}" acl="127.0.0.1"/>`,
        ),
    )
    const daemon = process.env['SHIBD'] ?? assert.fail('Run these tests with: npm run test:stacks')
    const started = watch(
      spawn(daemon, ['-F', '-c', config, '-p', join(place, 'pid')], { stdio: ['ignore', 'pipe', 'pipe'] }),
      'SIGTERM',
    )
    await until(async () => {
      assert.equal(started.child.exitCode, null, `shibd runs: ${started.errors()}`)
      return await isListening(listener)
    })
    const proxy = await startProxy({ ...withGroups, ROUTESLIP_GROUPS_SEPARATOR: 'semicolon' })
    const signIn = `LoadModule mod_shib ${modules}/mod_shib.so
ShibConfig ${config}
${recipe('apache-shibboleth')}`
    await startApache(signIn, [], proxy, { port, forward })
    return { site, proxy }
  }

  /** Returns whom the proxy sees behind the calls of a visitor. */
  async function userOf(visitor: Visitor, site: string, headers?: Record<string, string>): Promise<unknown> {
    const { status, body } = await visitor.call(site, '/session', headers)
    assert.equal(status, 200, body.toString())
    return (JSON.parse(body.toString()) as { readonly univid?: unknown }).univid
  }

  /** Callbacks reach the proxy without a session, and what only monitoring may see is not public. */
  async function checkPaths(site: string, proxy: Started): Promise<void> {
    const callback = await sendRequest(`${site}/api/wf/callbacks`, { method: 'POST', body: '{}' })
    assert.equal(callback.headers.location, undefined)
    await until(() => proxy.output().includes('"cause":"callback"'))
    for (const path of ['metrics', '/readyz']) {
      assert.equal((await sendRequest(`${site}/api/wf/${path}`)).status, 403, path)
    }
  }

  /** Signs the first approver in, and checks that `headers` of the browser change neither the user nor the groups. */
  async function checkForgery(site: string, headers: Record<string, string> = forged): Promise<void> {
    const visitor = createVisitor()
    assert.match(await visitor.visit(`${site}/`, { name: `${people.firstApprover}@example.edu` }), /My page/)
    assert.equal(await userOf(visitor, site, headers), people.firstApprover)
    const tools = await visitor.call(site, actions, headers)
    assert.equal(tools.status, 200)
    assert.doesNotMatch(tools.body.toString(), /removePackage/, 'forged groups')
  }

  /** The proxy refuses people whose names are no university ids of this site, and its log names the cause. */
  async function checkRefused({ site, proxy }: Site, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const visitor = createVisitor()
      assert.match(await visitor.visit(`${site}/`, { name }), /My page/)
      assert.equal((await visitor.call(site, '/session')).status, 401, name)
    }
    await until(() => proxy.output().includes('"user_not_id"'))
  }

  /** Signs the registrar in, who has the id and the groups of the sign-in. Returns the visitor. */
  async function checkSignIn(site: string): Promise<Visitor> {
    const visitor = createVisitor()
    assert.equal((await visitor.call(site, '/session', forged)).status, 401, 'a forged user')
    await visitor.visit(`${site}/`)
    assert.ok(visitor.address().startsWith(login), 'a page leads to the sign-in page')
    assert.match(await visitor.visit(`${site}/`, { name: `${id}@example.edu` }), /My page/)
    assert.equal(await userOf(visitor, site), id)
    assert.match((await visitor.call(site, actions)).body.toString(), /removePackage/)
    return visitor
  }

  it('OpenID Connect: signs in, maps the id and the groups, and refuses others', async () => {
    const { site, proxy } = await startOpenIdSite()
    await checkSignIn(site)
    await checkForgery(site)
    const strangers = ['amara@example.edu', `${id}@example.org`, `${id}@example.edu.example.org`]
    await checkRefused({ site, proxy }, strangers)
    await checkPaths(site, proxy)
  })

  it('OpenID Connect: signing out ends the session of the site, and then that of the provider', async () => {
    const { site } = await startOpenIdSite()
    const signOut = `${site}/sign-in?logout=${encodeURIComponent(`${site}/`)}`
    const visitor = createVisitor()
    await visitor.visit(`${site}/`, { name: `${id}@example.edu` })
    const cookie = visitor.cookiesOf(site)
    assert.equal(await userOf(visitor, site), id)

    await visitor.visit(signOut, { before: login })
    assert.ok(visitor.address().startsWith(login), 'the provider is asked too')
    assert.equal((await visitor.call(site, '/session')).status, 401, 'at once')
    assert.equal((await visitor.call(site, '/session', { cookie })).status, 401, 'for a copied cookie too')

    // Until the provider's own session ends, a page signs the person in again without a question.
    assert.match(await visitor.visit(`${site}/`), /My page/)
    assert.equal(await userOf(visitor, site), id)
    await visitor.visit(signOut)
    assert.ok(visitor.address().startsWith(login), 'the next page leads to the sign-in page')
    assert.equal((await visitor.call(site, '/session')).status, 401)
  })

  it('OpenID Connect: a forged user gets in without the lines that replace the headers (control)', async () => {
    const { site } = await startOpenIdSite(withoutReplacing(recipe('apache')))
    const visitor = createVisitor()
    assert.equal(await userOf(visitor, site, forged), id)
    assert.match((await visitor.call(site, actions, forged)).body.toString(), /removePackage/)
  })

  it('CAS: signs in, maps the id, and refuses others', async () => {
    const { site, proxy } = await startCasSite()
    assert.equal((await createVisitor().call(site, '/session', forged)).status, 302, 'a forged user')
    await checkForgery(site)
    await checkRefused({ site, proxy }, ['amara@example.edu'])
    await checkPaths(site, proxy)
  })

  it('CAS: signing out at the CAS server ends the session of the site', async () => {
    const { site } = await startCasSite()
    const visitor = createVisitor()
    await visitor.visit(`${site}/`, { name: `${id}@example.edu` })
    assert.equal(await userOf(visitor, site), id)
    const cookie = visitor.cookiesOf(site)
    await visitor.visit(`${login}/cas/logout`)
    assert.equal((await visitor.call(site, '/session', { cookie })).status, 302)
    await visitor.visit(`${site}/`)
    assert.ok(visitor.address().startsWith(login), 'a page leads to the sign-in page')
  })

  it('CAS: a forged user and group get in without the lines that replace the headers (control)', async () => {
    const { site } = await startCasSite(withoutReplacing(recipe('apache')))
    const visitor = createVisitor()
    await visitor.visit(`${site}/`, { name: `${people.firstApprover}@example.edu` })
    assert.equal(await userOf(visitor, site, forged), id)
    assert.match((await visitor.call(site, actions, forged)).body.toString(), /removePackage/)
  })

  it('Shibboleth: signs in, maps the id and the groups, refuses others, and signs out', async () => {
    const { site, proxy } = await startShibbolethSite()
    const visitor = await checkSignIn(site)
    await checkForgery(site, { ...forged, eppn: id, entitlement: group, remote_user: id })
    // The provider may not name people of another domain.
    await checkRefused({ site, proxy }, ['amara@example.edu', `${id}@example.org`])
    await checkPaths(site, proxy)

    const cookie = visitor.cookiesOf(site)
    await visitor.visit(`${site}/Shibboleth.sso/Logout?return=${encodeURIComponent(`${site}/`)}`)
    assert.ok(visitor.address().startsWith(login), 'the next page leads to the sign-in page')
    assert.equal((await visitor.call(site, '/session', { cookie })).status, 401)
  })

  it('Shibboleth: a forged user gets in without the lines that replace the headers (control)', async () => {
    const { site } = await startShibbolethSite(withoutReplacing(recipe('apache')))
    const visitor = createVisitor()
    assert.equal(await userOf(visitor, site, forged), id)
    assert.match((await visitor.call(site, actions, forged)).body.toString(), /removePackage/)
  })

  it('signed tokens: names the user and the groups', async () => {
    await serveOpenId([returnTo])
    const recipe = JSON.parse(
      readFileSync('docs/stacks/jwt.json', 'utf8').replaceAll('https://login.example.edu', login),
    ) as Record<string, string>
    const file = join(folder, 'jwt.json')
    const env = without(exampleEnv(emulator), 'ROUTESLIP_ADMINS', 'ROUTESLIP_IDENTITY_SECRET')
    writeFileSync(file, JSON.stringify({ ...recipe, ROUTESLIP_POLICY: join(folder, 'policy.json') }))
    const proxy = await start(env, '--config', file)

    const call = async (name: string, path: string, spoil = (token: string) => token) => {
      const authorization = `Bearer ${spoil(await tokenOf(name))}`
      return await sendRequest(`${proxy.url}api/wf${path}`, { headers: { ...fromPage, authorization } })
    }
    const session = await call(`${id}@example.edu`, '/session')
    assert.equal(session.status, 200, session.body.toString())
    assert.match(session.body.toString(), new RegExp(`"${id}"`))
    assert.match((await call(`${id}@example.edu`, actions)).body.toString(), /removePackage/)
    const other = await call(`${people.firstApprover}@example.edu`, actions)
    assert.equal(other.status, 200)
    assert.doesNotMatch(other.body.toString(), /removePackage/)
    assert.equal((await call('amara@example.edu', '/session')).status, 401)
    await until(() => proxy.output().includes('The claim univid is not a university id'))
    const changed = await call(`${id}@example.edu`, '/session', (token) =>
      token.replace(/\.[^.]{8}/, '.AAAAAAAA'),
    )
    assert.equal(changed.status, 401)
  })

  /** Signs somebody in and returns the ID token, as an application does. */
  async function tokenOf(name: string): Promise<string> {
    const verifier = randomBytes(32).toString('base64url')
    const question = new URLSearchParams({
      client_id: 'forms',
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: returnTo,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const visitor = createVisitor()
    await visitor.visit(`${login}/auth?${question}`, { name })
    const response = await fetch(`${login}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`forms:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: new URL(visitor.address()).searchParams.get('code') ?? '',
        redirect_uri: returnTo,
        code_verifier: verifier,
      }),
    })
    const { id_token: token } = (await response.json()) as { readonly id_token?: string }
    return token ?? assert.fail(`no token for ${name}`)
  }
})

/** Whether something accepts connections at a port of this machine. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

interface Site {
  readonly site: string
  readonly proxy: Started
}

/** Returns a file of docs/stacks as it is. */
function recipe(name: string): string {
  return readFileSync(`docs/stacks/${name}.conf`, 'utf8')
}

/** Removes the lines that replace the user and the groups. */
function withoutReplacing(forward: string): string {
  return forward.replace(/^.*RequestHeader set x-remote-(?:user|groups) .*$/gm, '')
}

type Visitor = ReturnType<typeof createVisitor>

/** A browser without a window: it keeps cookies, follows redirects, and sends forms by their first button. */
function createVisitor() {
  const jars = new Map<string, Map<string, string>>()
  let shown = ''

  /**
   * Opens a page and returns what is shown in the end. Signs in with `name`, or stays on the sign-in page. Requests nothing
   * that begins with `before`.
   */
  async function visit(
    url: string,
    { name, before = returnTo }: { readonly name?: string | undefined; readonly before?: string } = {},
    form?: URLSearchParams,
  ): Promise<string> {
    shown = url
    if (url.startsWith(before)) return ''
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const response = await sendRequest(url, {
      ...(form && { method: 'POST', body: form.toString() }),
      headers: {
        accept: 'text/html',
        cookie: cookiesOf(origin),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    })
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '' || /expires=Thu, 01.Jan.1970/i.test(cookie)) jar.delete(key)
      else jar.set(key, value)
    }
    const next = response.headers.location
    if (next !== undefined) return await visit(new URL(next, url).href, { name, before })
    const page = response.body.toString()
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    const isSignIn = page.includes('name="login"')
    if (action === undefined || (isSignIn && name === undefined)) return page
    const fields = new URLSearchParams()
    for (const [, key = '', value = ''] of page.matchAll(
      /<input[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)")?/g,
    )) {
      fields.set(key, key === 'login' ? (name ?? '') : key === 'password' ? 'demo' : value)
    }
    const [, value, key] = /<button[^>]* value="([^"]+)" name="([^"]+)"/.exec(page) ?? []
    if (key !== undefined && value !== undefined) fields.set(key, value)
    return await visit(new URL(action, url).href, { name, before }, fields)
  }

  function cookiesOf(origin: string): string {
    return [...(jars.get(origin) ?? [])].map(([key, value]) => `${key}=${value}`).join('; ')
  }

  return {
    visit,
    cookiesOf,
    address: () => shown,
    /** Calls the proxy as a page would, with this visitor's cookies. */
    async call(site: string, path: string, headers: Readonly<Record<string, string>> = {}) {
      return await sendRequest(`${site}/api/wf${path}`, {
        headers: { ...fromPage, cookie: cookiesOf(site), ...headers },
      })
    },
  }
}

interface CasSession {
  readonly name: string
  /** The services of its tickets. */
  readonly tickets: Map<string, string>
}

/** A CAS server that lets everyone in by their name. Signing out ends the sessions of all services. */
function createCas(): RequestListener {
  const sessions = new Map<string, CasSession>()
  const unused = new Map<string, CasSession>()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const service = searchParams.get('service') ?? ''
    const cookie = /CASTGC=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(16).toString('hex')
    const session = sessions.get(cookie)
    if (pathname === '/cas/serviceValidate') {
      const ticket = searchParams.get('ticket') ?? ''
      const known = unused.get(ticket)
      unused.delete(ticket)
      const result =
        known?.tickets.get(ticket) === service
          ? `<cas:authenticationSuccess><cas:user>${known.name}</cas:user></cas:authenticationSuccess>`
          : '<cas:authenticationFailure code="INVALID_TICKET">No such ticket</cas:authenticationFailure>'
      response.end(
        `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">${result}</cas:serviceResponse>`,
      )
      return
    }
    if (pathname === '/cas/logout') {
      sessions.delete(cookie)
      for (const [ticket, address] of session?.tickets ?? []) {
        const logoutRequest = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-1" Version="2.0"><samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`
        await fetch(address, { method: 'POST', body: new URLSearchParams({ logoutRequest }) })
      }
      response.end('You are signed out')
      return
    }
    if (request.method !== 'POST' && session === undefined) {
      const action = `/cas/login?service=${encodeURIComponent(service)}`
      response.end(`<form method="post" action="${action}"><input name="login"></form>`)
      return
    }
    const name = new URLSearchParams(await text(request)).get('login') ?? ''
    const signedIn = session ?? { name, tickets: new Map<string, string>() }
    const ticket = `ST-${randomBytes(16).toString('hex')}`
    sessions.set(cookie, signedIn)
    signedIn.tickets.set(ticket, service)
    unused.set(ticket, signedIn)
    const location = new URL(service)
    location.searchParams.set('ticket', ticket)
    response
      .writeHead(303, { location: location.href, 'set-cookie': `CASTGC=${cookie}; Path=/cas/; HttpOnly` })
      .end()
  }

  return (request, response) => void handle(request, response)
}

interface OidcProvider {
  readonly default: new (
    issuer: string,
    options: {
      readonly findAccount: (context: unknown, name: string) => unknown
      readonly [name: string]: unknown
    },
  ) => { readonly callback: () => RequestListener }
}
