import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Package } from '../../../../src/contract/schemas/workflow.ts'
import { createEmulator } from '../../../../src/emulator/emulator.ts'
import { scenarios } from '../../../../src/emulator/scenarios/index.ts'
import type { EmulatorState } from '../../../../src/emulator/state/state.ts'
import type { Form } from '../../../../src/emulator/state/stored-forms.ts'

const forms = '/wf/workflow/test/api/developer/forms/6025'

describe('routes', () => {
  it('complete when the last required attachment is uploaded', async () => {
    const send = emulated({
      route: [
        {
          name: 'For information',
          destinations: [{ type: 'PERSON', univid: '10000004', permission: 'VIEW_ONLY' }],
        },
      ],
    })
    const { id } = (await send('PUT', tool('restart'))) as Package
    const state = async () => ((await send('GET', `${forms}/packages/${id}`)) as Package).state
    const upload = (type: number) => {
      const body = new FormData()
      body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
      return send('POST', `${forms}/packages/${id}/attachments/types/${type}`, body)
    }
    assert.equal(await state(), 'ROUTING')
    await upload(3)
    assert.equal(await state(), 'ROUTING')
    await upload(2)
    assert.equal(await state(), 'COMPLETE')
  })

  it('show people by name in the summary of an office route, and vacant roles', async () => {
    const seed = scenarios.small()
    const route = seed.officeRoutes.get(701)
    assert.ok(route)
    seed.officeRoutes.set(701, {
      ...route,
      stops: [
        {
          name: 'College',
          destinations: [
            { type: 'PERSON', univid: '10000004', permission: 'VIEW_ONLY' },
            { type: 'OFFICE_ROLE', office: '05-0333', role: 'Clerk', permission: 'SIGNATURE_PERMITTED' },
          ],
        },
      ],
    })
    const send = emulated({}, seed)
    assert.deepEqual(await send('GET', '/wf/api/v2/developer/offices/routes/701'), [
      {
        type: 'DEFAULT_OFFICE',
        name: 'Dean’s Office, default route',
        stops: [
          {
            name: 'College',
            destinations: [
              {
                type: 'PERSON',
                subject: 'Ruth Lindqvist',
                approverUnivid: '10000004',
                approverName: 'Ruth Lindqvist',
                permission: 'VIEW_ONLY',
              },
              {
                type: 'OFFICE_ROLE',
                subject: 'Clerk of College of Sciences, Dean’s Office',
                approverUnivid: null,
                approverName: null,
                permission: 'SIGNATURE_PERMITTED',
              },
            ],
          },
        ],
      },
    ])
  })
})

type Send = (method: string, path: string, body?: FormData) => Promise<unknown>

/** Creates an emulator with a changed form 6025. Returns a function that sends a request and asserts success. */
function emulated(changes: Partial<Form>, seed: EmulatorState = scenarios.small()): Send {
  const form = seed.forms.test.get(6025)
  assert.ok(form)
  seed.forms.test.set(6025, { ...form, ...changes })
  const emulator = createEmulator({ seed })
  return async (method, path, body) => {
    const response = await emulator.fetch(`http://emulator.test${path}`, {
      method,
      headers: {
        Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': '10000001',
        ...(path.includes('/status?') && { Accept: 'application/vnd.workflow+json;version=1.2' }),
      },
      ...(body && { body }),
    })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return JSON.parse(text) as unknown
  }
}

function tool(name: string): string {
  return `/wf/workflow/test/api/developer/tools/forms/6025/packages/42/${name}`
}
