// Vitest also fails if an element causes an error outside the tests.
import { request } from 'node:http'
import 'routeslip/define'
import 'routeslip/define/fs-files'
import 'routeslip/define/fs-shares'
import 'routeslip/define/wf-form'
import 'routeslip/define/wf-list'
import 'routeslip/define/wf-office'
import 'routeslip/define/wf-overrides'
import 'routeslip/define/wf-route'
import { configure } from 'routeslip/configure'
import { expect, it, vi } from 'vitest'

const proxy = process.env['ROUTESLIP_PROXY']!

/** Calls the proxy without the `fetch` of the environment, which sends no headers that only browsers may set. */
vi.stubGlobal('fetch', (input: string | URL | Request, init: RequestInit = {}) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, 'http://site.test/')
  return new Promise<Response>((resolve, reject) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'sec-fetch-site': 'same-origin' }
    const call = request(proxy + pathname + search, { method: init.method ?? 'GET', headers }, (incoming) => {
      let body = ''
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 500
        const fields = Object.entries(incoming.headers).map(
          ([name, value]) => [name, `${value}`] as [string, string],
        )
        resolve(new Response([204, 304].includes(status) ? null : body, { status, headers: fields }))
      })
    })
    call.on('error', reject)
    call.end(init.body)
  })
})
configure({ endpoint: '/api/wf', formId: 6025, packageId: 42 })

/** What each element shows of the request of the emulator, or without data. */
const shown = {
  'wf-package-status': 'In routing',
  'wf-badge': 'In routing',
  'wf-history': 'Amara Okafor',
  'wf-comments': 'No comments yet.',
  'wf-attachments': 'Add file',
  'wf-route': 'Mei-Ling Zhou',
  'wf-office': 'The number of an office',
  'wf-list': '',
  'wf-overrides': '',
  'fs-uploader': 'Choose files',
  'fs-files': 'No files yet.',
  'fs-shares': '',
}

for (const [tag, text] of Object.entries(shown)) {
  it(`<${tag}> shows its content, and leaves without an error`, async () => {
    const element = document.createElement(tag)
    document.body.append(element)
    await vi.waitFor(() => {
      expect(element.shadowRoot?.textContent).toContain(text)
      expect(element.shadowRoot?.querySelector('[part~=loading]')).toBeNull()
    }, 10_000)
    element.remove()
  })
}

it('<wf-form> leaves the form of the page as it is', async () => {
  document.body.innerHTML =
    '<wf-form><form><input name="purpose" /><button value="ROUTING">Submit</button></form></wf-form>'
  const element = document.querySelector('wf-form')!
  await vi.waitFor(() => expect(element.shadowRoot?.querySelector('[part=base]')).not.toBeNull())
  expect(element.querySelector('input')?.name).toBe('purpose')
  element.remove()
})
