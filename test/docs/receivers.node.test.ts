import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createReceiverServers, mistakesOf } from './receiver-table.ts'

// `npm run test:stacks` holds the receiver in Java to the same table. .NET is not available.

const stacks = fileURLToPath(new URL('../../docs/stacks/', import.meta.url))

const python = `import os, sys
sys.path.insert(0, 'docs/stacks/python')
sys.dont_write_bytecode = True
from wsgiref.simple_server import make_server
from callbacks import application
def served(environ, start_response):
    os.environ['ROUTESLIP_FORWARD_SECRET'] = environ.get('HTTP_X_TEST_SECRETS', '')
    return application(environ, start_response)
make_server('127.0.0.1', int(sys.argv[1]), served).serve_forever()
`

const php = `<?php
putenv('ROUTESLIP_FORWARD_SECRET=' . ($_SERVER['HTTP_X_TEST_SECRETS'] ?? ''));
require ${JSON.stringify(join(stacks, 'php/callbacks.php'))};
`

describe('the receivers of docs/stacks accept only what one of their secrets signed', () => {
  const { folder, serve, end } = createReceiverServers()
  after(end)

  it('in Python', async () => {
    const url = await serve('python3', (port) => ['-c', python, String(port)])
    assert.deepEqual(await mistakesOf(url), [])
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401)
  })

  it('in PHP', async () => {
    const router = join(folder, 'router.php')
    writeFileSync(router, php)
    const url = await serve(process.env['PHP'] ?? 'php', (port) => ['-S', `127.0.0.1:${port}`, router])
    assert.deepEqual(await mistakesOf(url), [])
  })
})
