import { expect } from '@open-wc/testing'
import { readPublicKey, readSignature } from '../../src/contract/values/public-key.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { encodeForm } from '../../src/emulator/http/encode-form.ts'
import { scenarios } from '../../src/emulator/scenarios/index.ts'

const inForm = '/wf/workflow/test/api/developer/forms/6025/packages'

describe('createEmulator() in a page', () => {
  it('routes a package from its attachment to its completion', async () => {
    const emulator = createEmulator({ control: true })
    await upload(emulator, `${inForm}/42/attachments/types/2`)
    for (const univid of ['10000002', '10000003']) {
      await send(emulator, '/_emulator/test/forms/6025/packages/42/sign', {
        method: 'POST',
        body: JSON.stringify({ univid }),
      })
    }
    const found = (await (await send(emulator, `${inForm}/42`)).json()) as Record<string, unknown>
    expect(found).to.include({ state: 'COMPLETE', attachmentCount: 1 })
  })

  it('stores a file and serves it through a link', async () => {
    const emulator = createEmulator()
    const asset = (await (await upload(emulator, '/fs/test/api/v1/files/upload')).json()) as { uuid: string }
    const link = await (await send(emulator, `/fs/test/api/v1/files/${asset.uuid}/presign`)).text()
    expect(await (await emulator.fetch(link)).text()).to.equal('hello')
  })

  it('reads uploads whose body cannot be streamed, as in WebKit', async () => {
    const emulator = createEmulator()
    const body = new FormData()
    body.append('file', new File(['hello'], 'hello.txt', { type: 'text/plain' }))
    const request = new Request('http://emulator.test/fs/test/api/v1/files/upload', {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('demo-app:demo-secret')}` },
      body: encodeForm(body),
    })
    const failing = new ReadableStream({
      start: (controller) => controller.error(new TypeError('Load failed')),
    })
    Object.defineProperty(request, 'body', { value: failing })
    const response = await emulator.fetch(request)
    expect(response.status, await response.text()).to.equal(200)
    const [file] = emulator.files.test.values()
    expect(await new Response(await emulator.objects.get(file!.object)).text()).to.equal('hello')
  })

  it('prints a package as a PDF', async () => {
    const response = await send(createEmulator(), `${inForm}/42/pdf?includeRouting=true`)
    expect(response.headers.get('content-type')).to.equal('application/pdf')
    expect((await response.text()).slice(0, 5)).to.equal('%PDF-')
  })

  it('signs callbacks with the key that it publishes', async () => {
    const sent: { body: string; signature: string }[] = []
    const emulator = createEmulator({
      control: true,
      fetch: (_, init) => {
        const signature = new Headers(init?.headers).get('x-workflow-verification') ?? ''
        sent.push({ body: init?.body as string, signature })
        return Promise.resolve(new Response(null))
      },
    })
    emulator.forms.test.get(6025)!.callbackUrl = 'https://application.example/callbacks'
    await send(emulator, inForm.replace('forms', 'tools/forms') + '/42/restart', { method: 'PUT' })
    await send(emulator, inForm.replace('forms', 'tools/forms') + '/42/remove', { method: 'PUT' })
    await send(emulator, '/_emulator/clock', { method: 'POST', body: JSON.stringify({ advance: '1m' }) })

    expect(sent.length).to.equal(1)
    const [{ body, signature } = { body: '', signature: '' }] = sent
    expect(JSON.parse(body)).to.include({ packageId: 42, state: 'PRE_ROUTING' })
    const published = readPublicKey(await (await send(emulator, '/wf/api/v2/public-key')).text())!
    const key = await crypto.subtle.importKey('raw', published, 'Ed25519', false, ['verify'])
    const verify = (text: string) =>
      crypto.subtle.verify(
        'Ed25519',
        key,
        readSignature(signature, 'base64')!,
        new TextEncoder().encode(text),
      )
    expect(await verify(body)).to.equal(true)
    expect(await verify(body + ' ')).to.equal(false)
  })

  for (const [name, seed] of Object.entries(scenarios)) {
    it(`starts with the scenario ${name}`, async () => {
      const response = await send(createEmulator({ seed: seed() }), `${inForm}/42`)
      expect(response.status).to.equal(200)
      // Creating a whole campus takes some engines seconds.
    }).timeout(30_000)
  }
})

function send({ fetch }: Emulator, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://emulator.test${path}`, {
    ...init,
    headers: {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': '10000001',
    },
  })
}

function upload(emulator: Emulator, path: string): Promise<Response> {
  const body = new FormData()
  body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
  return send(emulator, path, { method: 'POST', body })
}
