/** Which rooms of `src/` each room may import from, besides itself. */
const mayImport = {
  contract: [],
  client: ['contract'],
  locales: [],
  elements: ['contract', 'client', 'locales'],
  define: ['elements'],
  react: ['elements', 'define'],
  proxy: ['contract'],
  emulator: ['contract'],
  conformance: ['contract'],
  cli: ['contract', 'proxy', 'emulator', 'conformance', 'define'],
}

/** Which packages each room may import; every other import of one is an error. */
const mayUse = {
  contract: ['zod'],
  client: [],
  locales: [],
  elements: ['lit', '@lit/task'],
  define: [],
  react: ['react', '@lit/react'],
  proxy: [
    'zod',
    'jose',
    'file-type',
    'mime',
    'hast-util-from-html',
    'hast-util-sanitize',
    'hast-util-to-html',
  ],
  emulator: ['zod', '@cantoo/pdf-lib'],
  conformance: [],
  cli: ['@hono/node-server', 'httpxy', 'zod'],
}

/** Files of `contract/` that hold schemas. The others are what pages download. */
const withValidator =
  'attachments|browser-operations|callbacks|comments|entry|history|index|offices|operations|overrides|parameters|parse-query|person|problem|session|shares|storage|tolerant|workflow'

const rooms = Object.keys(mayImport)

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'known-rooms',
      comment: 'A new room needs its arrows here.',
      severity: 'error',
      from: { path: '^src/', pathNot: [`^src/(${rooms.join('|')})/`, '^src/index[.]ts$'] },
      to: {},
    },
    {
      name: 'arrows-of-the-entry',
      comment: 'What applications import first is the elements, and nothing that registers them.',
      severity: 'error',
      from: { path: '^src/index[.]ts$' },
      to: { pathNot: '^src/(elements|locales)/' },
    },
    ...rooms.map((room) => ({
      name: `arrows-of-${room}`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(${[room, ...mayImport[room]].join('|')})/` },
    })),
    ...rooms.map((room) => ({
      name: `packages-of-${room}`,
      severity: 'error',
      from: { path: `^src/${room}/`, pathNot: '^src/proxy/node/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: mayUse[room].length > 0 ? `node_modules/(${mayUse[room].join('|')})/` : '^$',
      },
    })),
    {
      name: 'runtimes-stay-out',
      comment: 'Only cli and proxy/node know Node.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli|proxy/node)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'proxy-core-knows-no-runtime',
      severity: 'error',
      from: { path: '^src/proxy/', pathNot: '^src/proxy/node/' },
      to: { path: '^src/proxy/node/' },
    },
    {
      name: 'pages-carry-no-validator',
      comment: 'What a page downloads imports types of the schemas, never the schemas.',
      severity: 'error',
      from: {
        path: ['^src/(client|elements|define|react|locales)/', '^src/contract/'],
        pathNot: `^src/contract/(${withValidator})[.]ts$`,
      },
      to: {
        path: [`^src/contract/(${withValidator})[.]ts$`, 'node_modules/zod/'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
