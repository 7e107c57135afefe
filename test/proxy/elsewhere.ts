import assert from 'node:assert/strict'
import type { Emulator } from '../../src/emulator/emulator.ts'
import { people } from './mount.ts'

/** Changes that no page and no proxy makes, in package 42 of form 6025. */
export interface Elsewhere {
  /** Sends a request to the control API. The path is below `/_emulator/`. */
  readonly control: (method: string, path: string, body?: object) => Promise<void>
  /** Changes the package as another application does. The tool is the part of the path after the package. */
  readonly change: (tool: string, body?: object) => Promise<void>
  /** Makes the service send the callbacks that wait. */
  readonly deliver: () => Promise<void>
  /** Registers the proxy of `requestOf` for the callbacks of the form and its first two stops. */
  readonly registerCallbacks: () => Promise<void>
}

export function changeElsewhere({ fetch }: Pick<Emulator, 'fetch'>): Elsewhere {
  async function send(method: string, path: string, body?: object, headers?: object): Promise<void> {
    const response = await fetch(`http://emulator.test/${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`)
  }
  const control: Elsewhere['control'] = (method, path, body) => send(method, `_emulator/${path}`, body)

  return {
    control,
    change: (tool, body) =>
      send('PUT', `wf/workflow/test/api/developer/tools/forms/6025/packages/42${tool}`, body, {
        authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': people.administrator,
      }),
    deliver: () => control('POST', 'callbacks/deliver'),
    async registerCallbacks() {
      const callback = { url: 'https://northfield.test/api/wf/callbacks' }
      await control('PUT', 'test/forms/6025/callback', callback)
      for (const stop of [1, 2]) await control('PUT', `test/forms/6025/stops/${stop}/callback`, callback)
    },
  }
}
