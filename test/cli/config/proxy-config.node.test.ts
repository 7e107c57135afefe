import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { z } from 'zod'
import { ConfigError } from '../../../src/cli/config/config-error.ts'
import { readProxyConfig } from '../../../src/cli/config/proxy-config.ts'
import { MountVariables, ProcessVariables } from '../../../src/cli/config/proxy-variables.ts'

const frontSecret = 'f'.repeat(32)

/** The required variables. */
const minimal = {
  ROUTESLIP_ENV: 'test',
  ROUTESLIP_FORMS: '6025',
  ROUTESLIP_WORKFLOW_URL: 'https://workflow.example.edu',
  ROUTESLIP_WORKFLOW_CLIENT_ID: 'travel-app',
  ROUTESLIP_WORKFLOW_CLIENT_SECRET: 'secret-of-workflow',
  ROUTESLIP_STORAGE_URL: 'https://files-test.example.edu/fs/',
  ROUTESLIP_STORAGE_CLIENT_ID: 'travel-files',
  ROUTESLIP_STORAGE_CLIENT_SECRET: 'secret-of-storage',
  ROUTESLIP_STORAGE_OBJECT_ORIGINS: 'https://objects.example.edu',
  ROUTESLIP_IDENTITY_SECRET: frontSecret,
}

const jwt = {
  ROUTESLIP_IDENTITY: 'jwt',
  ROUTESLIP_IDENTITY_JWKS_URL: 'https://login.example.edu/keys',
  ROUTESLIP_IDENTITY_ISSUER: 'https://login.example.edu',
  ROUTESLIP_IDENTITY_AUDIENCE: 'forms',
  ROUTESLIP_IDENTITY_SECRET: undefined,
}

describe('readProxyConfig()', () => {
  it('needs only the required variables and has defaults for the others', () => {
    assert.deepEqual(readProxyConfig(minimal), {
      host: '127.0.0.1',
      port: 8090,
      shutdownSeconds: 60,
      logLevel: 'info',
      idleTimeout: 120_000,
      minRate: 1000,
      stallSeconds: 30,
      services: {
        connectTimeout: 3000,
        bodyTimeout: 30_000,
        breaker: { calls: 10, failures: 0.5, window: 10_000, resetTimeout: 5000 },
      },
      lockAlarmAge: 86_400_000,
      redisPrefix: 'routeslip:',
      mounts: [
        {
          env: 'test',
          basePath: '/api/wf',
          forms: [6025],
          workflow: {
            baseUrl: 'https://workflow.example.edu',
            clientId: 'travel-app',
            clientSecret: 'secret-of-workflow',
          },
          storage: {
            baseUrl: 'https://files-test.example.edu/fs',
            clientId: 'travel-files',
            clientSecret: 'secret-of-storage',
            objectOrigins: ['https://objects.example.edu'],
          },
          identity: { kind: 'header', header: 'x-remote-user', secret: frontSecret, groupsSeparator: ',' },
          admins: [],
          origins: [],
          callbackEncoding: 'base64',
          resubmit: 'ask',
          limits: {
            maxFileSize: 52_428_800,
            linkSeconds: 60,
            timeout: 8000,
            uploadTimeout: 60000,
            downloadTimeout: 100000,
            bodyTimeout: 15000,
            scanTimeout: 60000,
            maxBodySize: 262144,
            maxResponseSize: 16777216,
            bodiesPerPerson: 8,
            bufferSize: 64 * 1024 * 1024,
            files: 100,
            filesPerPerson: 8,
            calls: 100,
            callsPerPerson: 16,
            largeReads: 8,
            largeReadsPerPerson: 2,
            requestsPerPerson: 50,
            packagesPerHour: 60,
            streamsPerPerson: 20,
            streams: 5000,
            watchInterval: 15_000,
          },
        },
      ],
    })
  })

  it('reads every variable', () => {
    const config = readProxyConfig({
      ...minimal,
      ...jwt,
      PATH: '/bin',
      ROUTESLIP_HOST: '0.0.0.0',
      ROUTESLIP_PORT: '0',
      ROUTESLIP_SHUTDOWN_SECONDS: '5',
      ROUTESLIP_LOG_LEVEL: 'warn',
      ROUTESLIP_REQUEST_ID_HEADER: 'X-Request-ID',
      ROUTESLIP_MAX_CONNECTIONS: '500',
      ROUTESLIP_IDLE_SECONDS: '90',
      ROUTESLIP_MIN_RATE: '2000',
      ROUTESLIP_STALL_SECONDS: '10',
      ROUTESLIP_CONNECT_TIMEOUT_SECONDS: '21',
      ROUTESLIP_CHUNK_TIMEOUT_SECONDS: '22',
      ROUTESLIP_BREAKER_CALLS: '23',
      ROUTESLIP_BREAKER_PERCENT: '24',
      ROUTESLIP_BREAKER_WINDOW_SECONDS: '25',
      ROUTESLIP_BREAKER_PAUSE_SECONDS: '26',
      ROUTESLIP_LOCK_ALARM_HOURS: '2',
      REDIS_URL: 'redis://:hidden@redis:6379',
      ROUTESLIP_BASE_PATH: '/forms/wf-test',
      ROUTESLIP_RESUBMIT: 'link',
      ROUTESLIP_FORMS: '6025, 6026',
      ROUTESLIP_WORKFLOW_URL: 'http://workflow:8080/wf',
      ROUTESLIP_ALLOW_HTTP: 'true',
      ROUTESLIP_STORAGE_OBJECT_ORIGINS: 'https://a.example.edu/,http://127.0.0.1:9000',
      ROUTESLIP_IDENTITY_CLAIM: 'sub',
      ROUTESLIP_IDENTITY_COOKIE: 'session',
      ROUTESLIP_GROUPS_CLAIM: 'groups',
      ROUTESLIP_GROUPS_SEPARATOR: 'semicolon',
      ROUTESLIP_ADMINS: '10000009,10000010',
      ROUTESLIP_ORIGINS: 'https://forms.example.edu',
      ROUTESLIP_CALLBACK_ENCODING: 'hex',
      ROUTESLIP_MAX_FILE_SIZE: '2 gb',
      ROUTESLIP_EXTENSIONS: '.PDF,docx',
      ROUTESLIP_FILE_DAYS: '30',
      ROUTESLIP_LINK_SECONDS: '10',
      ROUTESLIP_TIMEOUT_SECONDS: '20',
      ROUTESLIP_UPLOAD_TIMEOUT_SECONDS: '3',
      ROUTESLIP_DOWNLOAD_TIMEOUT_SECONDS: '4',
      ROUTESLIP_BODY_TIMEOUT_SECONDS: '5',
      ROUTESLIP_SCAN_TIMEOUT_SECONDS: '6',
      ROUTESLIP_MAX_BODY_SIZE: '7',
      ROUTESLIP_MAX_RESPONSE_SIZE: '8',
      ROUTESLIP_BODIES_PER_PERSON: '9',
      ROUTESLIP_BUFFER_SIZE: '32MB',
      ROUTESLIP_FILES: '10',
      ROUTESLIP_FILES_PER_PERSON: '11',
      ROUTESLIP_CALLS: '12',
      ROUTESLIP_CALLS_PER_PERSON: '13',
      ROUTESLIP_LARGE_READS: '14',
      ROUTESLIP_LARGE_READS_PER_PERSON: '15',
      ROUTESLIP_REQUESTS_PER_PERSON: '20',
      ROUTESLIP_PACKAGES_PER_HOUR: '30',
      ROUTESLIP_REQUESTS_PER_MINUTE: '600',
      ROUTESLIP_STREAMS_PER_PERSON: '3',
      ROUTESLIP_STREAMS: '100',
      ROUTESLIP_WATCH_SECONDS: '60',
      ROUTESLIP_CLAMD: '[::1]:3310',
    })
    const [mount] = config.mounts
    assert.deepEqual(
      { ...config, mounts: undefined },
      {
        host: '0.0.0.0',
        port: 0,
        shutdownSeconds: 5,
        requestIdHeader: 'X-Request-ID',
        logLevel: 'warn',
        maxConnections: 500,
        idleTimeout: 90_000,
        minRate: 2000,
        stallSeconds: 10,
        services: {
          connectTimeout: 21_000,
          bodyTimeout: 22_000,
          breaker: { calls: 23, failures: 0.24, window: 25_000, resetTimeout: 26_000 },
        },
        lockAlarmAge: 7_200_000,
        redisUrl: 'redis://:hidden@redis:6379',
        redisPrefix: 'routeslip:',
        mounts: undefined,
      },
    )
    assert.deepEqual(mount, {
      env: 'test',
      basePath: '/forms/wf-test',
      forms: [6025, 6026],
      workflow: {
        baseUrl: 'http://workflow:8080/wf',
        clientId: 'travel-app',
        clientSecret: 'secret-of-workflow',
      },
      storage: {
        baseUrl: 'https://files-test.example.edu/fs',
        clientId: 'travel-files',
        clientSecret: 'secret-of-storage',
        objectOrigins: ['https://a.example.edu', 'http://127.0.0.1:9000'],
      },
      identity: {
        kind: 'jwt',
        jwksUrl: 'https://login.example.edu/keys',
        issuer: 'https://login.example.edu',
        audience: 'forms',
        claim: 'sub',
        cookie: 'session',
        groupsClaim: 'groups',
        groupsSeparator: ';',
      },
      admins: ['10000009', '10000010'],
      origins: ['https://forms.example.edu'],
      callbackEncoding: 'hex',
      resubmit: 'link',
      limits: {
        maxFileSize: 2 * 1024 ** 3,
        maxExpiresIn: 2_592_000,
        linkSeconds: 10,
        timeout: 20_000,
        extensions: ['pdf', 'docx'],
        uploadTimeout: 3000,
        downloadTimeout: 4000,
        bodyTimeout: 5000,
        scanTimeout: 6000,
        maxBodySize: 7,
        maxResponseSize: 8,
        bodiesPerPerson: 9,
        bufferSize: 32 * 1024 * 1024,
        files: 10,
        filesPerPerson: 11,
        calls: 12,
        callsPerPerson: 13,
        largeReads: 14,
        largeReadsPerPerson: 15,
        requestsPerPerson: 20,
        packagesPerHour: 30,
        requestsPerMinute: 600,
        streamsPerPerson: 3,
        streams: 100,
        watchInterval: 60_000,
      },
      clamd: { host: '::1', port: 3310 },
    })
    assert.equal(limitsWith({ ROUTESLIP_MAX_FILE_SIZE: '1000' })?.maxFileSize, 1000)
    assert.equal(limitsWith({ ROUTESLIP_MAX_FILE_SIZE: '20MB' })?.maxFileSize, 20 * 1024 ** 2)
  })

  it('keeps lists only if they are wanted, and not with Redis', () => {
    const listsWith = (values: Readonly<Record<string, string>>) =>
      readProxyConfig({ ...minimal, ...values }).mounts[0]?.lists
    assert.equal(listsWith({ ROUTESLIP_LIST_CALLS: '5' }), undefined)
    assert.deepEqual(listsWith({ ROUTESLIP_LISTS: 'true' }), {
      callsPerSecond: 2,
      days: 400,
      reminders: { hours: 72, language: 'en' },
    })
    assert.deepEqual(
      listsWith({
        ...{ ROUTESLIP_LISTS: 'true', ROUTESLIP_LIST_CALLS: '5', ROUTESLIP_LIST_DAYS: '90' },
        ...{ ROUTESLIP_REMIND_HOURS: '24', ROUTESLIP_LANGUAGE: 'de' },
      }),
      { callsPerSecond: 5, days: 90, reminders: { hours: 24, language: 'de' } },
    )
    assert.deepEqual(problemsOf({ ...minimal, ROUTESLIP_LISTS: 'true', REDIS_URL: 'redis://localhost' }), [])
  })

  it('names each required variable that is missing', () => {
    assert.deepEqual(problemsOf({}), [
      'ROUTESLIP_ENV is missing. Set it to test or prod.',
      'ROUTESLIP_FORMS is missing. Set it to form ids without duplicates, such as 6025,6026.',
      'ROUTESLIP_WORKFLOW_URL is missing. Set it to an address such as https://service.example.edu, without a user name, query or fragment.',
      'ROUTESLIP_WORKFLOW_CLIENT_ID is missing. Set it to 1 to 64 letters, digits, _ or -.',
      'ROUTESLIP_STORAGE_URL is missing. Set it to an address such as https://service.example.edu, without a user name, query or fragment.',
      'ROUTESLIP_STORAGE_CLIENT_ID is missing. Set it to 1 to 64 letters, digits, _ or -.',
      'ROUTESLIP_STORAGE_OBJECT_ORIGINS is missing. Set it to origins such as https://objects.example.edu; http only on this machine.',
      'ROUTESLIP_WORKFLOW_CLIENT_SECRET is missing. Set it to the client secret, on one line, with no blank or byte order mark around it, or set ROUTESLIP_WORKFLOW_CLIENT_SECRET_FILE to a file that contains it.',
      'ROUTESLIP_STORAGE_CLIENT_SECRET is missing. Set it to the client secret, on one line, with no blank or byte order mark around it, or set ROUTESLIP_STORAGE_CLIENT_SECRET_FILE to a file that contains it.',
      'ROUTESLIP_IDENTITY_SECRET is missing. Set it to at least 32 characters without blanks around them, the same as the front server sends in x-routeslip-front, or set ROUTESLIP_IDENTITY_SECRET_FILE to a file that contains it.',
    ])
    const withJwt = problemsOf({
      ...minimal,
      ROUTESLIP_IDENTITY: 'jwt',
      ROUTESLIP_IDENTITY_SECRET: undefined,
    })
    assert.deepEqual(
      withJwt.map((problem) => problem.split('. ')[0]),
      [
        'ROUTESLIP_IDENTITY_JWKS_URL is missing',
        'ROUTESLIP_IDENTITY_ISSUER is missing',
        'ROUTESLIP_IDENTITY_AUDIENCE is missing',
      ],
    )
  })

  it('names each variable that is not valid and describes the valid values', () => {
    /** The numbers, by the least and the greatest value that they may have. */
    const numbers: readonly (readonly [least: number, greatest: number, names: string])[] = [
      [0, 65535, 'METRICS_PORT'],
      [1, 3650, 'FILE_DAYS LIST_DAYS'],
      [
        1,
        3600,
        'UPLOAD_TIMEOUT_SECONDS DOWNLOAD_TIMEOUT_SECONDS BODY_TIMEOUT_SECONDS ' +
          'SCAN_TIMEOUT_SECONDS IDLE_SECONDS STALL_SECONDS CHUNK_TIMEOUT_SECONDS ' +
          'BREAKER_WINDOW_SECONDS BREAKER_PAUSE_SECONDS WATCH_SECONDS',
      ],
      [
        1,
        1000,
        'BODIES_PER_PERSON FILES_PER_PERSON CALLS_PER_PERSON LARGE_READS ' +
          'LARGE_READS_PER_PERSON REQUESTS_PER_PERSON STREAMS_PER_PERSON',
      ],
      [1, 10000, 'FILES CALLS BREAKER_CALLS PACKAGES_PER_HOUR'],
      [1, 1000000, 'MAX_CONNECTIONS MIN_RATE'],
      [1, 600, 'CONNECT_TIMEOUT_SECONDS TIMEOUT_SECONDS'],
      [1, 100, 'BREAKER_PERCENT LIST_CALLS'],
      [1, 8760, 'LOCK_ALARM_HOURS'],
      [1, 60, 'LINK_SECONDS'],
      [10, 1000000, 'REQUESTS_PER_MINUTE'],
      [1, 100000, 'STREAMS'],
      [24, 8760, 'REMIND_HOURS'],
    ]
    const rows: readonly (readonly [name: string, wrong: readonly string[], advice: string])[] = [
      ...numbers.flatMap(([least, greatest, names]) =>
        names.split(' ').map((name) => {
          const wrong = [String(least - 1), String(greatest + 1), '1.5', '1m', 'x']
          return [`ROUTESLIP_${name}`, wrong, `Set it to a number from ${least} to ${greatest}.`] as const
        }),
      ),
      ['ROUTESLIP_HOST', ['', 'http://x', 'a b'], 'Set it to an address of this machine, such as 127.0.0.1.'],
      ['ROUTESLIP_PORT', ['', '80a', '-1', '65536', '1e3', '0x10'], 'Set it to a number from 0 to 65535.'],
      ['ROUTESLIP_REQUEST_ID_HEADER', ['', 'x y', 'x:', '7'], 'Set it to the name of a header.'],
      ['ROUTESLIP_SHUTDOWN_SECONDS', ['3601', '1.5'], 'Set it to a number from 0 to 3600.'],
      [
        'ROUTESLIP_REDIS_PREFIX',
        ['', 'a b', 'a*', 'x'.repeat(65)],
        'Set it to 1 to 64 letters, digits, or . _ : -.',
      ],
      ['ROUTESLIP_DATA', ['', 'a\nb'], 'Set it to the path of a directory.'],
      ['ROUTESLIP_LOG_LEVEL', ['INFO', 'verbose'], 'Set it to info, warn or error.'],
      [
        'ROUTESLIP_BASE_PATH',
        ['/', 'api', '/api/', '/a//b', '/a/../b', '/a b'],
        'Set it to a path such as /api/wf.',
      ],
      ['ROUTESLIP_ENV', ['', 'Test', 'production'], 'Set it to test or prod.'],
      [
        'ROUTESLIP_FORMS',
        ['', ',', '0', '-1', '06', '1e3', '6025,6025', '6025;6026', '9007199254740993'],
        'Set it to form ids without duplicates, such as 6025,6026.',
      ],
      ...['ROUTESLIP_WORKFLOW_URL', 'ROUTESLIP_STORAGE_URL'].map(
        (name) =>
          [
            name,
            ['', 'workflow.example.edu', 'ftp://workflow.example.edu', 'https://x?y', 'https://x#y'],
            'Set it to an address such as https://service.example.edu, without a user name, query or fragment.',
          ] as const,
      ),
      ...['ROUTESLIP_WORKFLOW_CLIENT_ID', 'ROUTESLIP_STORAGE_CLIENT_ID'].map(
        (name) =>
          [name, ['', 'a:b', 'a b', 'x'.repeat(65)], 'Set it to 1 to 64 letters, digits, _ or -.'] as const,
      ),
      [
        'ROUTESLIP_STORAGE_OBJECT_ORIGINS',
        ['', '*', 'objects.example.edu', 'http://objects.example.edu', 'https://x/path', 'https://x,y'],
        'Set it to origins such as https://objects.example.edu; http only on this machine.',
      ],
      ['ROUTESLIP_ALLOW_HTTP', ['', 'yes', '1'], 'Set it to true or false.'],
      ['ROUTESLIP_IDENTITY', ['', 'none', 'JWT'], 'Set it to header or jwt.'],
      [
        'ROUTESLIP_IDENTITY_HEADER',
        ['', 'x remote', 'x_remote_user', 'X-Routeslip-Front'],
        'Set it to the name of a header other than x-routeslip-front.',
      ],
      [
        'ROUTESLIP_GROUPS_HEADER',
        ['', 'x groups', 'X-Routeslip-Front'],
        'Set it to the name of a header other than x-routeslip-front.',
      ],
      ['ROUTESLIP_GROUPS_SEPARATOR', ['', ','], 'Set it to comma or semicolon.'],
      [
        'ROUTESLIP_ADMINS',
        ['jdoe', '1,2;3', '1234567890123'],
        'Set it to university ids such as 10000009,10000010.',
      ],
      [
        'ROUTESLIP_ORIGINS',
        ['*', 'null', 'http://forms.example.edu', 'https://forms.example.edu/x'],
        'Set it to origins such as https://forms.example.edu; http only on this machine.',
      ],
      ['ROUTESLIP_CALLBACK_ENCODING', ['base32'], 'Set it to base64, base64url or hex.'],
      [
        'ROUTESLIP_MAX_FILE_SIZE',
        ['', '0', '50 MiB', '-1', '1.5MB', '50M'],
        'Set it to a size such as 50MB, or a number of bytes.',
      ],
      [
        'ROUTESLIP_EXTENSIONS',
        ['', 'pdf doc', 'p/df', 'tar.gz', '*'],
        'Set it to extensions such as pdf,docx.',
      ],
      [
        'ROUTESLIP_BUFFER_SIZE',
        ['', '0', '-1', '64M'],
        'Set it to a size such as 50MB, or a number of bytes.',
      ],
      ['ROUTESLIP_MAX_BODY_SIZE', ['', '0', '50M'], 'Set it to a size such as 50MB, or a number of bytes.'],
      [
        'ROUTESLIP_MAX_RESPONSE_SIZE',
        ['', '0', '50M'],
        'Set it to a size such as 50MB, or a number of bytes.',
      ],
      ['ROUTESLIP_RESUBMIT', ['', 'yes', 'Ask'], 'Set it to ask or link.'],
      ['ROUTESLIP_LISTS', ['1', 'yes', ''], 'Set it to true or false.'],
      [
        'ROUTESLIP_LANGUAGE',
        ['', 'EN', 'tlh'],
        'Set it to en, ar, de, es, fr, hi, ja, ko, pt-BR, ru, vi or zh-Hans.',
      ],
      [
        'ROUTESLIP_CLAMD',
        ['', 'clamd', ':3310', 'clamd:0', 'clamd:65536', 'tcp://clamd:3310'],
        'Set it to host:port, such as 127.0.0.1:3310.',
      ],
    ]
    for (const [name, wrong, advice] of rows) {
      for (const value of wrong) {
        const state = value === '' ? 'empty' : JSON.stringify(value)
        const expected = [`${name} is ${state}. ${advice}`]
        const rest =
          name === 'ROUTESLIP_IDENTITY' ? { ...minimal, ROUTESLIP_IDENTITY_SECRET: frontSecret } : minimal
        assert.deepEqual(problemsOf({ ...rest, [name]: value }), expected)
      }
    }
    for (const [name, wrong, advice] of [
      [
        'ROUTESLIP_IDENTITY_JWKS_URL',
        ['', 'http://login.example.edu/keys', 'login'],
        "Set it to the https address of the issuer's JSON Web Key Set; http only on this machine.",
      ],
      ['ROUTESLIP_IDENTITY_ISSUER', ['', ' ', 'a\nb'], "Set it to the iss claim of the issuer's tokens."],
      ['ROUTESLIP_IDENTITY_AUDIENCE', ['', ' '], 'Set it to the aud claim of tokens for this site.'],
      ['ROUTESLIP_IDENTITY_CLAIM', ['', ' '], 'Set it to the name of a claim.'],
      ['ROUTESLIP_IDENTITY_COOKIE', ['', 'a=b', 'a;b'], 'Set it to the name of a cookie.'],
      ['ROUTESLIP_GROUPS_CLAIM', ['', ' '], 'Set it to the name of a claim.'],
    ] as const) {
      for (const value of wrong) {
        const state = value === '' ? 'empty' : JSON.stringify(value)
        assert.deepEqual(problemsOf({ ...minimal, ...jwt, [name]: value }), [
          `${name} is ${state}. ${advice}`,
        ])
      }
    }

    const tested = new Set([
      ...rows.map(([name]) => name),
      ...Object.keys(MountVariables.shape).filter((name) => /IDENTITY_|GROUPS_CLAIM/.test(name)),
    ])
    const others = [...Object.keys(ProcessVariables.shape), ...Object.keys(MountVariables.shape)].filter(
      (name) => !tested.has(name) && !/SECRET|REDIS_URL|CONFIG|POLICY|FORWARD/.test(name),
    )
    assert.deepEqual(others, [])
  })

  it('reports all problems together', () => {
    const problems = problemsOf({ ...minimal, ROUTESLIP_ENV: '', ROUTESLIP_PORT: 'x', ROUTESLIP_FORM: '1' })
    assert.deepEqual(
      problems.map((problem) => problem.split(' ')[0]),
      ['ROUTESLIP_FORM', 'ROUTESLIP_PORT', 'ROUTESLIP_ENV'],
    )
  })

  it('rejects unknown names and suggests similar ones', () => {
    for (const [name, hint] of [
      ['ROUTESLIP_FORM', 'Did you mean ROUTESLIP_FORMS?'],
      ['ROUTESLIP_WORKFLOW_CLIENTID', 'Did you mean ROUTESLIP_WORKFLOW_CLIENT_ID?'],
      ['ROUTESLIP_STORAGE_CLIENT_SECERT', 'Did you mean ROUTESLIP_STORAGE_CLIENT_SECRET?'],
      ['ROUTESLIP_SOMETHING_ELSE', 'Remove it.'],
    ]) {
      const problems = problemsOf({ ...minimal, [name ?? '']: 'hidden-value' })
      assert.deepEqual(problems, [`${name} is not a variable of the proxy. ${hint}`])
    }
  })

  it('rejects variables of the other kind of identity, which would not be checked', () => {
    assert.deepEqual(problemsOf({ ...minimal, ROUTESLIP_IDENTITY_AUDIENCE: 'forms' }), [
      'ROUTESLIP_IDENTITY_AUDIENCE applies to ROUTESLIP_IDENTITY=jwt, but it is header. Remove one of them.',
    ])
    assert.deepEqual(problemsOf({ ...minimal, ...jwt, ROUTESLIP_IDENTITY_SECRET: frontSecret }), [
      'ROUTESLIP_IDENTITY_SECRET applies to ROUTESLIP_IDENTITY=header, but it is jwt. Remove one of them.',
    ])
  })

  describe('a policy file', () => {
    const rule = '{ "name": "Restart", "people": ["10000009"], "operations": ["restartPackage"] }'
    const withPolicy = { ...minimal, ROUTESLIP_POLICY: '/etc/policy.json' }

    it('is read with the configuration', () => {
      const files = { '/etc/policy.json': `{ "rules": [${rule}] }` }
      const { policy } = readProxyConfig(withPolicy, filesOf(files)).mounts[0] ?? {}
      assert.equal(policy?.path, '/etc/policy.json')
      assert.equal(policy?.rules.rules[0]?.name, 'Restart')
    })

    it('stops the proxy from starting with each of its problems', () => {
      const file = 'ROUTESLIP_POLICY: "/etc/policy.json": '
      assert.deepEqual(problemsOf(withPolicy, { '/etc/policy.json': '{ "rules": [{}], "x": 1 }' }), [
        `${file}rules[0].name is missing. Write what the rule is for.`,
        `${file}rules[0].operations is missing. Add a list.`,
        `${file}x is not a field. Use groups, rules.`,
      ])
      assert.match(problemsOf(withPolicy)[0] ?? '', /^ROUTESLIP_POLICY: .* The file is not readable/)
      assert.equal(problemsOf({ ...minimal, ROUTESLIP_POLICY: '' }).length, 1)
    })

    it('replaces the list of administrators', () => {
      const files = { '/etc/policy.json': '{ "rules": [] }' }
      assert.deepEqual(problemsOf({ ...withPolicy, ROUTESLIP_ADMINS: '10000009' }, files), [
        'ROUTESLIP_ADMINS and ROUTESLIP_POLICY are both set. Write a rule for these people into the policy file, and remove ROUTESLIP_ADMINS.',
      ])
    })
  })

  describe('an application that gets the callbacks', () => {
    const [secret, old] = ['a', 'b'].map((letter) => `whsec_${letter.repeat(44)}`)
    const withForward = {
      ...minimal,
      ROUTESLIP_FORWARD_URL: 'https://app.example.edu/callbacks',
      ROUTESLIP_FORWARD_SECRET: `${secret}, ${old}`,
    }
    const forwardOf = (values: Readonly<Record<string, string>>) =>
      problemsOf({ ...withForward, ...values }).map((problem) => problem.split('. ')[0])

    it('needs an address and a secret', () => {
      assert.deepEqual(readProxyConfig(withForward).mounts[0]?.forward, {
        url: 'https://app.example.edu/callbacks',
        secrets: `${secret}, ${old}`,
        allowPrivate: false,
      })
      const file = { ROUTESLIP_FORWARD_SECRET: undefined, ROUTESLIP_FORWARD_SECRET_FILE: '/run/secret' }
      const files = { '/run/secret': `${secret}\n` }
      const { secrets } =
        readProxyConfig({ ...withForward, ...file }, filesOf(files)).mounts[0]?.forward ?? {}
      assert.ok(typeof secrets === 'function')
      files['/run/secret'] = `${old}\n`
      assert.equal(secrets(), old)
      assert.match(
        problemsOf({ ...withForward, ROUTESLIP_FORWARD_SECRET: undefined }).join(),
        /^ROUTESLIP_FORWARD_SECRET is missing\. Set it to whsec_ and/,
      )
      assert.deepEqual(problemsOf({ ...withForward, ROUTESLIP_FORWARD_URL: undefined }), [
        'ROUTESLIP_FORWARD_SECRET has no use without ROUTESLIP_FORWARD_URL. Set both, or none.',
      ])
      assert.deepEqual(forwardOf({ ROUTESLIP_FORWARD_SECRET: `${secret} hidden` }), [
        'ROUTESLIP_FORWARD_SECRET is not usable',
      ])
    })

    it('must be public, unless ROUTESLIP_FORWARD_PRIVATE allows others', () => {
      for (const url of [
        'http://app.example.edu/',
        'https://10.0.0.1/',
        'http://localhost:3000/',
        'https://[::1]/',
      ]) {
        assert.deepEqual(forwardOf({ ROUTESLIP_FORWARD_URL: url }), [`ROUTESLIP_FORWARD_URL is "${url}"`])
        assert.deepEqual(forwardOf({ ROUTESLIP_FORWARD_URL: url, ROUTESLIP_FORWARD_PRIVATE: 'true' }), [])
      }
      const metadata = { ROUTESLIP_FORWARD_URL: 'http://169.254.169.254/', ROUTESLIP_FORWARD_PRIVATE: 'true' }
      assert.equal(forwardOf(metadata).length, 1, 'never')
      for (const url of [
        'app.example.edu',
        'https://user:password@app.example.edu/',
        'ftp://app.example.edu/',
      ])
        assert.equal(forwardOf({ ROUTESLIP_FORWARD_URL: url }).length, 1, url)
      assert.equal(forwardOf({ ROUTESLIP_FORWARD_PRIVATE: 'yes' }).length, 1)
    })
  })

  describe('service addresses', () => {
    it('allow plain http on this machine, and elsewhere only with ROUTESLIP_ALLOW_HTTP', () => {
      for (const name of ['ROUTESLIP_WORKFLOW_URL', 'ROUTESLIP_STORAGE_URL']) {
        for (const url of ['http://127.0.0.1:8081/wf', 'http://localhost:1/x', 'http://[::1]/x']) {
          assert.deepEqual(problemsOf({ ...minimal, [name]: url }), [])
        }
        for (const url of [
          'http://workflow:8080',
          'http://127.0.0.1.example.edu',
          'http://localhost.example',
        ]) {
          assert.deepEqual(problemsOf({ ...minimal, [name]: url }), [
            `${name} is "${url}". Use an https address, or set ROUTESLIP_ALLOW_HTTP=true if you control the network in between.`,
          ])
          assert.deepEqual(problemsOf({ ...minimal, [name]: url, ROUTESLIP_ALLOW_HTTP: 'true' }), [])
        }
      }
    })

    it('must not contain a password, and the message does not show it', () => {
      const [problem] = problemsOf({
        ...minimal,
        ROUTESLIP_WORKFLOW_URL: 'https://user:hidden@workflow.example.edu',
      })
      assert.match(problem ?? '', /^ROUTESLIP_WORKFLOW_URL is not usable\. Set it to an address/)
    })
  })

  describe('secrets', () => {
    const secrets = [
      'ROUTESLIP_WORKFLOW_CLIENT_SECRET',
      'ROUTESLIP_STORAGE_CLIENT_SECRET',
      'ROUTESLIP_IDENTITY_SECRET',
      'REDIS_URL',
    ]

    it('can be read from files, without the last newline', () => {
      for (const [end, isCut] of [
        ['', true],
        ['\n', true],
        ['\r\n', true],
        ['\n\n', false],
      ] as const) {
        const problems = problemsOf(
          { ...minimal, ROUTESLIP_IDENTITY_SECRET: undefined, ROUTESLIP_IDENTITY_SECRET_FILE: '/run/front' },
          { '/run/front': frontSecret + end },
        )
        assert.equal(problems.length === 0, isCut, JSON.stringify(end))
      }
      const config = readProxyConfig(
        { ...minimal, REDIS_URL_FILE: '/run/redis' },
        filesOf({ '/run/redis': 'rediss://:hidden@redis\n' }),
      )
      assert.equal(config.redisUrl, 'rediss://:hidden@redis')
    })

    it('are read again from their files, and keep the last value if a file is empty or missing', () => {
      const files: Record<string, string> = { '/run/workflow': 'first\n', '/run/storage': 'other' }
      const { mounts } = readProxyConfig(
        {
          ...minimal,
          ROUTESLIP_WORKFLOW_CLIENT_SECRET: undefined,
          ROUTESLIP_WORKFLOW_CLIENT_SECRET_FILE: '/run/workflow',
          ROUTESLIP_STORAGE_CLIENT_SECRET: undefined,
          ROUTESLIP_STORAGE_CLIENT_SECRET_FILE: '/run/storage',
        },
        filesOf(files),
      )
      const workflow = mounts[0]?.workflow.clientSecret as () => string
      const storage = mounts[0]?.storage.clientSecret as () => string
      assert.equal(workflow(), 'first')
      assert.equal(storage(), 'other')
      files['/run/workflow'] = 'second\n'
      assert.equal(workflow(), 'second')
      files['/run/workflow'] = '\n'
      assert.equal(workflow(), 'second')
      delete files['/run/workflow']
      assert.equal(workflow(), 'second')
      assert.equal(storage(), 'other')
    })

    it('must be set once, and must not be empty or unreadable', () => {
      for (const name of secrets) {
        const without = { ...minimal, [name]: undefined }
        const file = `${name}_FILE`
        assert.deepEqual(
          problemsOf(
            { ...without, [name]: 'redis://x'.padEnd(40, 'x'), [file]: '/run/x' },
            { '/run/x': 'y' },
          ),
          [`${name} and ${file} are both set. Remove one of them.`],
        )
        assert.match(
          problemsOf({ ...without, [name]: '' }).join(),
          new RegExp(`^${name} is empty\\. Set it to`),
        )
        assert.match(
          problemsOf({ ...without, [file]: '' }).join(),
          new RegExp(`^${file} is empty\\. Set it to the path of a file`),
        )
        assert.deepEqual(problemsOf({ ...without, [file]: '/run/none' }), [
          `${file}: "/run/none" is not readable (ENOENT). Check the path and its permissions.`,
        ])
        const long = 's'.repeat(40)
        for (const content of [
          '',
          '\n',
          ' \n',
          'two\nlines\n',
          ` ${long}`,
          `${long} \n`,
          `\uFEFF${long}\n`,
        ]) {
          assert.match(
            problemsOf({ ...without, [file]: '/run/x' }, { '/run/x': content }).join(),
            new RegExp(`^${file}: "/run/x" is not valid\\. It must contain`),
          )
        }
      }
    })

    it('never appear in messages', () => {
      for (const name of secrets) {
        const problems = problemsOf({ ...minimal, [name]: 'hidden\nvalue' })
        assert.match(problems.join(), new RegExp(`^${name} is not usable\\. Set it to`))
        assert.doesNotMatch(problems.join(), /hidden|value/)
      }
      assert.deepEqual(problemsOf({ ...minimal, ROUTESLIP_IDENTITY_SECRET: 'f'.repeat(31) }), [
        'ROUTESLIP_IDENTITY_SECRET is not usable. Set it to at least 32 characters without blanks around them, the same as the front server sends in x-routeslip-front.',
      ])
    })
  })

  describe('a configuration file', () => {
    it('uses the same names with JSON values, and the environment overrides it', () => {
      const content = {
        ...minimal,
        ROUTESLIP_FORMS: [6025, 6026],
        ROUTESLIP_PORT: 9000,
        ROUTESLIP_ALLOW_HTTP: true,
        ROUTESLIP_ADMINS: ['10000009', 10000010],
        ROUTESLIP_LINK_SECONDS: 5,
        ROUTESLIP_EXTENSIONS: ['pdf'],
      }
      const config = readProxyConfig(
        { ROUTESLIP_CONFIG: 'proxy.json', ROUTESLIP_LINK_SECONDS: '7' },
        filesOf({ 'proxy.json': JSON.stringify(content) }),
      )
      assert.equal(config.port, 9000)
      assert.deepEqual(config.mounts[0]?.forms, [6025, 6026])
      assert.deepEqual(config.mounts[0]?.admins, ['10000009', '10000010'])
      assert.deepEqual(config.mounts[0]?.limits.extensions, ['pdf'])
      assert.equal(config.mounts[0]?.limits.linkSeconds, 7)
    })

    it('is overridden by a secret or a secret file of the environment', () => {
      const file = {
        ...minimal,
        ROUTESLIP_IDENTITY_SECRET: undefined,
        ROUTESLIP_IDENTITY_SECRET_FILE: '/old',
      }
      const secretOf = (env: Record<string, string>, content: object, files = {}) => {
        const [mount] = readProxyConfig(
          { ROUTESLIP_CONFIG: 'c', ...env },
          filesOf({ c: JSON.stringify(content), ...files }),
        ).mounts
        return mount?.identity.kind === 'header' ? mount.identity.secret : undefined
      }
      const fresh = 'n'.repeat(40)
      assert.equal(secretOf({ ROUTESLIP_IDENTITY_SECRET: fresh }, file), fresh)
      assert.equal(secretOf({ ROUTESLIP_IDENTITY_SECRET_FILE: '/new' }, minimal, { '/new': fresh }), fresh)
    })

    it('is rejected if it is not valid, with a message that does not quote it', () => {
      for (const [content, message] of [
        [
          undefined,
          'ROUTESLIP_CONFIG: "c.json" is not readable (ENOENT). Check the path and its permissions.',
        ],
        [
          '{"ROUTESLIP_WORKFLOW_CLIENT_SECRET": "hidden',
          'ROUTESLIP_CONFIG: "c.json" is not valid JSON in line 1: a text has no end, or contains a line break or a wrong escape. Check it.',
        ],
        ...['[]', 'null', '"x"', '{"mounts":[]}', '{"mounts":{}}', '{"mounts":[1]}'].map(
          (text) =>
            [
              text,
              'ROUTESLIP_CONFIG: "c.json" must contain an object. If it has mounts, they must be a list of objects.',
            ] as const,
        ),
      ] as const) {
        assert.deepEqual(
          problemsOf({ ROUTESLIP_CONFIG: 'c.json' }, content === undefined ? {} : { 'c.json': content }),
          [message],
        )
      }
      assert.deepEqual(
        problemsOf(
          { ROUTESLIP_CONFIG: 'c' },
          { c: JSON.stringify({ ...minimal, port: 1, ROUTESLIP_CONFIG: 'd' }) },
        ),
        [
          'port is not a variable of the proxy. Remove it.',
          'ROUTESLIP_CONFIG is the path of this file. Remove it from the file.',
        ],
      )
    })
  })

  describe('mounts', () => {
    const test = { ROUTESLIP_ENV: 'test', ROUTESLIP_BASE_PATH: '/api/wf-test' }
    const prod = {
      ROUTESLIP_ENV: 'prod',
      ROUTESLIP_BASE_PATH: '/api/wf',
      ROUTESLIP_STORAGE_URL: 'https://files.example.edu',
    }

    it('override the common values', () => {
      const { mounts } = withMounts([test, { ...prod, ROUTESLIP_FORMS: [7000] }])
      assert.deepEqual(
        mounts.map(({ env, basePath, forms, storage }) => [env, basePath, forms, storage.baseUrl]),
        [
          ['test', '/api/wf-test', [6025], 'https://files-test.example.edu/fs'],
          ['prod', '/api/wf', [7000], 'https://files.example.edu'],
        ],
      )
    })

    it('are named in messages about one of them', () => {
      assert.deepEqual(problemsOfMounts([test, { ...prod, ROUTESLIP_ENV: 'live', ROUTESLIP_FORM: 1 }]), [
        'ROUTESLIP_FORM (mounts[1]) is not a variable of the proxy. Did you mean ROUTESLIP_FORMS?',
        'ROUTESLIP_ENV (mounts[1]) is "live". Set it to test or prod.',
      ])
      assert.deepEqual(problemsOfMounts([test, { ...prod, ROUTESLIP_PORT: 1 }]), [
        'ROUTESLIP_PORT (mounts[1]) applies to all mounts. Move it out of mounts.',
      ])
    })

    it('of test and prod must not share a storage address in any spelling (T10)', () => {
      for (const url of [
        'https://files-test.example.edu/fs',
        'https://FILES-test.example.edu:443/fs/',
        'https://files-test.example.edu./x/../fs//',
      ]) {
        assert.deepEqual(problemsOfMounts([test, { ...prod, ROUTESLIP_STORAGE_URL: url }]), [
          'ROUTESLIP_STORAGE_URL: The test mount /api/wf-test and the prod mount /api/wf use the same file storage. Give each the address of its own environment.',
        ])
        // Two mounts of one environment may share an address.
        const second = { ...prod, ROUTESLIP_ENV: 'test', ROUTESLIP_STORAGE_URL: url }
        assert.deepEqual(problemsOfMounts([test, second]), [])
      }
      for (const url of [
        'https://files-test.example.edu:8443/fs',
        'https://files-test.example.edu/fs/prod',
      ]) {
        assert.deepEqual(problemsOfMounts([test, { ...prod, ROUTESLIP_STORAGE_URL: url }]), [])
      }
    })

    it('must have paths that do not overlap', () => {
      for (const [path, message] of [
        ['/api/wf', 'Two mounts have the path /api/wf.'],
        ['/api/wf/test', 'The paths /api/wf/test and /api/wf of two mounts overlap.'],
        ['/api', 'The paths /api and /api/wf of two mounts overlap.'],
      ]) {
        assert.deepEqual(problemsOfMounts([{ ...test, ROUTESLIP_BASE_PATH: path }, prod]), [
          `ROUTESLIP_BASE_PATH: ${message} Give each its own path.`,
        ])
      }
    })

    function withMounts(mounts: readonly object[]) {
      return readProxyConfig(
        { ROUTESLIP_CONFIG: 'c' },
        filesOf({ c: JSON.stringify({ ...minimal, ROUTESLIP_ENV: undefined, mounts }) }),
      )
    }

    function problemsOfMounts(mounts: readonly object[]): readonly string[] {
      return problemsIn(() => withMounts(mounts))
    }
  })
})

describe('docs/proxy.md', () => {
  const document = readFileSync(new URL('../../../docs/proxy.md', import.meta.url), 'utf8')

  it('shows a valid file with two mounts', () => {
    const [, example = ''] = /```json\n(\{\n.*?)```/s.exec(document) ?? []
    const secrets = [...example.matchAll(/\/run\/secrets\/[a-z-]+/g)].map(([path]) => [
      path,
      path.padEnd(32, '-'),
    ])
    const { mounts } = readProxyConfig(
      { ROUTESLIP_CONFIG: 'c' },
      filesOf({ c: example, ...(Object.fromEntries(secrets) as Record<string, string>) }),
    )
    assert.deepEqual(
      mounts.map(({ env }) => env),
      ['prod', 'test'],
    )
  })

  it('lists every variable with its default and description', () => {
    const rows = [...document.matchAll(/^\| `([A-Z_]+)`(, or `…_FILE`)? +\| (.*?) +\| (.*?) +\|$/gm)].map(
      ([, name, orFile, standard, description]) => ({
        ...{ name, standard, description },
        hasFile: orFile !== undefined,
      }),
    )
    const shape: Readonly<Record<string, z.ZodType>> = { ...ProcessVariables.shape, ...MountVariables.shape }
    const isFile = (name: string) => name.endsWith('_FILE') && name.slice(0, -'_FILE'.length) in shape
    const expected = Object.entries(shape)
      .filter(([name]) => !isFile(name))
      .map(([name, schema]) => {
        const { success, data } = schema.safeParse(undefined)
        const value = success
          ? String((data as string | number | readonly string[] | undefined) ?? '')
          : 'required'
        return {
          name,
          standard: value === '' || value === 'required' ? value : `\`${value}\``,
          description: schema.description ?? '',
          hasFile: `${name}_FILE` in shape,
        }
      })
    // The valid values may follow the description.
    const shown = rows.map((row, at) => {
      const { description = '' } = expected[at] ?? {}
      return row.description?.startsWith(description) ? { ...row, description } : row
    })
    assert.deepEqual(shown, expected)
  })
})

function limitsWith(variables: Readonly<Record<string, string>>) {
  return readProxyConfig({ ...minimal, ...variables }).mounts[0]?.limits
}

/** Returns the lines of the error message; none if the configuration is valid. */
function problemsOf(
  env: Readonly<Record<string, string | undefined>>,
  files: Readonly<Record<string, string>> = {},
): readonly string[] {
  return problemsIn(() => readProxyConfig(env, filesOf(files)))
}

function problemsIn(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message.split('\n')
  }
}

function filesOf(files: Readonly<Record<string, string>>): (path: string) => string {
  return (path) => {
    const content = files[path]
    if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return content
  }
}
