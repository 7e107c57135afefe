import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { adminsPolicy } from '../../src/proxy/rights/admins-policy.ts'
import { checkMounts, createMounts, MountsError } from '../../src/proxy/mount/mounts.ts'
import type { ProxyOptions } from '../../src/proxy/mount/options.ts'
import type { Proxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'

const initiator = '10000001'

const opened: Proxy[] = []
afterEach(async () => {
  for (const proxy of opened.splice(0)) await proxy.close()
})

describe('createMounts()', () => {
  it('passes each request to the mount with its path, and refuses other paths', async () => {
    const { request } = setUp()
    assert.deepEqual(await sessionAt('/api/wf-test'), { env: 'test', univid: initiator })
    assert.deepEqual(await sessionAt('/api/wf'), { env: 'prod', univid: initiator })
    for (const path of [
      '/session',
      '/api/wf',
      '/api/wf-tes/session',
      '/api/wf-test2/session',
      '/API/wf/session',
    ]) {
      const response = await request(path)
      assert.equal(response.status, 404, path)
      assert.equal(response.headers.get('content-type'), 'application/problem+json')
    }

    async function sessionAt(path: string): Promise<unknown> {
      const { env, univid } = (await (await request(`${path}/session`)).json()) as Record<string, unknown>
      return { env, univid }
    }
  })

  it('never mixes two environments (T10)', async () => {
    const { request, emulator } = setUp()
    const paths = [
      '/forms/6025/packages/42',
      '/forms/6025/packages/42/history',
      '/forms/6025/packages/actions?id=42',
      '/files/00000000-0000-4000-8000-000000000000/meta',
    ]
    const statuses: string[] = []
    const someCalls = () =>
      Array.from({ length: 40 }, async () => {
        const mount = anyOf(['/api/wf-test', '/api/wf'])
        const path = anyOf(paths)
        const { status } = await request(mount + path)
        statuses.push(`${mount === '/api/wf-test' ? 'test' : 'prod'} ${path} ${status}`)
      })
    for (let round = 0; round < 25; round++) await Promise.all(someCalls())
    // Package 42 exists only in test, which distinguishes the two.
    assert.ok(statuses.includes('test /forms/6025/packages/42 200'))
    assert.ok(statuses.includes('prod /forms/6025/packages/42 404'))
    assert.equal(new Set(statuses).size, 2 * paths.length)

    const forwarded = emulator.journal.map(({ url, headers }) => {
      const env = /^\/(?:wf\/workflow|wf|fs)\/(test|prod)\//.exec(url)?.[1]
      const [client] = atob((headers['authorization'] ?? '').slice('Basic '.length)).split(':')
      return `${env} ${client}`
    })
    assert.deepEqual([...new Set(forwarded)].sort(), ['prod partner-app', 'test demo-app'])
  })

  it('refuses mounts that conflict', () => {
    const { test, prod } = optionsOf(createEmulator())
    assert.throws(() => createMounts([test, withStorage(prod, test.services.storage)]), MountsError)
    assert.throws(() => createMounts([test, { ...prod, basePath: '/api/wf-test' }]), MountsError)
  })
})

describe('checkMounts()', () => {
  const { test, prod } = optionsOf(createEmulator())

  it('refuses equal and nested paths, with /api/wf as the default', () => {
    for (const [a = '', b = ''] of [
      ['/a', '/a'],
      ['/a', '/a/b'],
      ['/a/b', '/a'],
    ]) {
      assert.equal(optionIn({ ...test, basePath: a }, { ...prod, basePath: b }), 'basePath')
    }
    assert.equal(optionIn({ ...test, basePath: '/api/wf' }, prod), 'basePath')
    assert.equal(optionIn({ ...test, basePath: '/a' }, { ...prod, basePath: '/ab' }), undefined)
  })

  it('refuses one file storage for test and prod, in any order and notation (T10)', () => {
    const at = (baseUrl: string) => ({ ...prod.services.storage, baseUrl })
    for (const url of [
      'https://files.example.edu/fs',
      'https://FILES.example.edu:443//fs/',
      'https://files.example.edu./x/../fs',
    ]) {
      const one = withStorage(test, at('https://files.example.edu/fs'))
      assert.equal(optionIn(one, withStorage(prod, at(url))), 'storage')
      assert.equal(optionIn(withStorage(prod, at(url)), one), 'storage')
      assert.equal(optionIn(one, { ...withStorage(prod, at(url)), env: 'test' }), undefined)
    }
    for (const url of [
      'https://files.example.edu:8443/fs',
      'https://files.example.edu/fs2',
      'https://f2/fs',
    ]) {
      const one = withStorage(test, at('https://files.example.edu/fs'))
      assert.equal(optionIn(one, withStorage(prod, at(url))), undefined)
    }
  })

  it('names the paths of the mounts that conflict', () => {
    const at = (basePath: string) => ({ ...test, basePath })
    const messageOf = (...mounts: Parameters<typeof checkMounts>[0]) => {
      try {
        checkMounts(mounts)
      } catch (error) {
        return (error as MountsError).message
      }
      return undefined
    }
    assert.equal(messageOf(at('/a'), at('/a')), 'Two mounts have the path /a. Give each its own path.')
    assert.equal(
      messageOf(at('/x'), at('/a'), at('/a/b')),
      'The paths /a and /a/b of two mounts overlap. Give each its own path.',
    )
    assert.equal(
      messageOf(test, withStorage(prod, test.services.storage)),
      'The test mount /api/wf-test and the prod mount /api/wf use the same file storage. Give each the address of its own environment.',
    )
  })

  it('distinguishes the default ports of the two schemes', () => {
    const at = (env: 'test' | 'prod', baseUrl: string) =>
      withStorage(env === 'test' ? test : prod, { ...prod.services.storage, baseUrl })
    assert.equal(optionIn(at('test', 'http://f.test:80/a'), at('prod', 'http://f.test/a')), 'storage')
    assert.equal(optionIn(at('test', 'http://f.test/a'), at('prod', 'http://f.test:80/a/')), 'storage')
    assert.equal(optionIn(at('test', 'https://f.test/a'), at('prod', 'http://f.test:443/a')), 'storage')
    assert.equal(optionIn(at('test', 'http://f.test/a'), at('prod', 'https://f.test/a')), undefined)
    assert.equal(optionIn(at('test', 'http://f.test/a/b'), at('prod', 'http://f.test/ab')), undefined)
  })

  it('allows one routing service for test and prod', () => {
    assert.equal(
      optionIn(
        { ...test, services: { ...test.services, workflow: { ...prod.services.workflow, clientId: 'a' } } },
        prod,
      ),
      undefined,
    )
  })

  it('warns if test and prod share credentials, without revealing them', () => {
    const shared = { clientId: 'shared-id', clientSecret: 'shared-secret' }
    const withShared = (part: Partial<typeof shared>) => ({
      ...test,
      services: {
        workflow: { ...test.services.workflow, clientSecret: () => 'other', ...part },
        storage: { ...test.services.storage, ...part },
      },
    })
    const other = {
      ...prod,
      services: {
        workflow: { ...prod.services.workflow, ...shared, clientSecret: () => shared.clientSecret },
        storage: { ...prod.services.storage, ...shared },
      },
    }
    assert.deepEqual(warningsOf(withShared({}), other), [])
    assert.deepEqual(warningsOf(withShared({ clientId: 'shared-id' }), other), [
      'Test and prod share the client id of the workflow service',
      'Test and prod share the client id of the storage service',
    ])
    assert.deepEqual(warningsOf(withShared({ clientSecret: 'shared-secret' }), other), [
      'Test and prod share the client secret of the workflow service',
      'Test and prod share the client secret of the storage service',
    ])
    assert.deepEqual(warningsOf(withShared(shared), other), [
      'Test and prod share the client id and the client secret of the workflow service',
      'Test and prod share the client id and the client secret of the storage service',
    ])
    assert.deepEqual(
      warningsOf({ ...withStorage(other, test.services.storage), basePath: '/x', env: 'prod' }, other),
      [],
    )
  })

  function optionIn(...mounts: Parameters<typeof checkMounts>[0]): string | undefined {
    try {
      checkMounts(mounts)
      return undefined
    } catch (error) {
      assert.ok(error instanceof MountsError)
      return error.option
    }
  }

  function warningsOf(...mounts: Parameters<typeof checkMounts>[0]): readonly string[] {
    const warnings: string[] = []
    checkMounts(mounts, (level, message, facts) => {
      assert.equal(level, 'warn')
      assert.doesNotMatch(message + JSON.stringify(facts), /shared-/)
      assert.deepEqual(facts, { mounts: ['/api/wf-test', '/api/wf'] })
      warnings.push(message)
    })
    return warnings
  }
})

describe('adminsPolicy()', () => {
  it('allows only the tools without a flag, and only to the listed people', async () => {
    const policy = adminsPolicy(['10000009', '10000010'])
    const allows = (operation: string, univid: string) =>
      policy({ operation, person: { univid } } as Parameters<typeof policy>[0])
    const tools = [
      'unvoidPackage',
      'restartPackage',
      'returnPackage',
      'removePackage',
      'reinitiatePackage',
      'returnToInitiator',
    ]
    for (const tool of tools) {
      assert.equal(await allows(tool, '10000009'), true)
      assert.equal(await allows(tool, '10000010'), true)
      for (const univid of [initiator, '', '1000000', '100000090'])
        assert.equal(await allows(tool, univid), false)
      assert.equal(await adminsPolicy([])({ operation: tool, person: { univid: '' } } as never), false)
    }
    for (const operation of [
      'voidPackage',
      'createOverride',
      'deleteLock',
      'getFileMeta',
      'presignFile',
      'deleteFile',
      'createShare',
      'getShares',
      'revokeShare',
      '',
    ]) {
      assert.equal(await allows(operation, '10000009'), false, operation)
    }
  })
})

/** Options of one mount per environment, each with its own credentials, on one emulator. */
function optionsOf(emulator: Emulator): { readonly test: ProxyOptions; readonly prod: ProxyOptions } {
  const mount = (env: 'test' | 'prod', clientId: string, clientSecret: string): ProxyOptions => ({
    env,
    forms: [6025],
    services: {
      workflow: { baseUrl: 'http://emulator.test/wf', clientId, clientSecret },
      storage: {
        baseUrl: `http://emulator.test/fs/${env}`,
        clientId,
        clientSecret,
        objectOrigins: ['http://emulator.test'],
      },
    },
    identity: { identify: () => ({ univid: initiator }) },
    runtime: fetchRuntime(emulator.fetch),
  })
  return {
    test: { ...mount('test', 'demo-app', 'demo-secret'), basePath: '/api/wf-test' },
    prod: mount('prod', 'partner-app', 'partner-secret'),
  }
}

/** The same mount with another file storage. */
function withStorage(mount: ProxyOptions, storage: ProxyOptions['services']['storage']): ProxyOptions {
  return { ...mount, services: { ...mount.services, storage } }
}

function setUp(): { readonly emulator: Emulator; readonly request: (path: string) => Promise<Response> } {
  const emulator = createEmulator()
  const { test, prod } = optionsOf(emulator)
  const mounts = createMounts([prod, test])
  opened.push(mounts)
  const headers = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }
  return { emulator, request: (path) => mounts(new Request(`http://proxy.test${path}`, { headers })) }
}

function anyOf<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)] as T
}
