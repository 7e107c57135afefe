/** The folders of `src/` that each folder may import from, besides itself. */
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
  testing: ['contract', 'proxy', 'emulator'],
  cli: ['contract', 'proxy', 'emulator', 'conformance', 'define'],
}

/** The packages that each folder may import. All others are errors. */
const mayUse = {
  contract: ['zod'],
  client: [],
  locales: [],
  elements: ['lit', '@lit/task'],
  define: [],
  react: ['react', 'lit'],
  proxy: ['zod', 'jose', 'file-type', 'mime', 'hast-util-sanitize', 'parse5'],
  emulator: ['zod', '@pdfme/pdf-lib'],
  conformance: [],
  testing: [],
  cli: ['commander', 'httpxy', 'jose', 'mime', 'zod'],
}

/** The part of `contract/` with schemas. Pages download the other folders. */
const withValidator = '^src/contract/(schemas/|services/|index[.]ts$)'

/** The subjects inside folders, in order: each may import those before it. Files beside them, such as `index.ts`, join them. */
const subjects = {
  contract: ['values', 'schemas', 'routes', 'services', 'readers'],
  client: ['transport', 'uploads', 'reads', 'live'],
  elements: [
    'person',
    'dialog',
    'configuration',
    'text',
    'notices',
    'loading',
    'element',
    'upload',
    'fs-uploader',
    'wf-attachments',
    'wf-context',
    'wf-history',
    'wf-comments',
    'wf-office',
    'wf-overrides',
    'wf-route',
    'reminder',
    'wf-package-status',
    'wf-badge',
    'wf-list',
    'fs-files',
    'fs-shares',
    'wf-form',
  ],
  // What is known, what the browser keeps, the controls of the page, files, the draft, and sending it.
  'elements/wf-form': ['state', 'kept', 'fields', 'files', 'draft', 'sending'],
  proxy: [
    'http',
    'observe',
    'identity',
    'changes',
    'admission',
    'validation',
    'upstream',
    'operation',
    'files',
    'rights',
    'locks',
    'callbacks',
    'desk',
    'live',
    'openapi',
    'handlers',
    'idempotency',
    'mount',
    'node',
  ],
}

const folders = Object.keys(mayImport)

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'known-folders',
      comment: 'Add a new folder to mayImport and mayUse.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [`^src/(${folders.join('|')})/`, '^src/(index|configure|languages)[.]ts$'],
      },
      to: {},
    },
    {
      name: 'imports-of-the-entry',
      comment: 'The entries export the elements or a part of them, and do not register them.',
      severity: 'error',
      from: { path: '^src/[a-z]+[.]ts$' },
      to: { pathNot: '^src/(elements|locales)/' },
    },
    ...folders.map((folder) => ({
      name: `imports-of-${folder}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...mayImport[folder]].join('|')})/` },
    })),
    ...folders.map((folder) => ({
      name: `packages-of-${folder}`,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: '^src/proxy/node/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: mayUse[folder].length > 0 ? `node_modules/(${mayUse[folder].join('|')})/` : '^$',
      },
    })),
    ...Object.entries(subjects).flatMap(([folder, names]) =>
      names.map((name, at) => ({
        name: `order-of-${folder}-${name}`,
        comment: 'Imports between subjects point one way.',
        severity: 'error',
        from: { path: `^src/${folder}/${name}/` },
        to: { path: `^src/${folder}/(?!(${names.slice(0, at + 1).join('|')})/|[^/]+[.]events[.]ts$)` },
      })),
    ),
    ...Object.keys(subjects).map((folder) => ({
      name: `known-subjects-of-${folder}`,
      comment: 'Add a new subject to `subjects`.',
      severity: 'error',
      from: { path: `^src/${folder}/[^/]+/`, pathNot: `^src/${folder}/(${subjects[folder].join('|')})/` },
      to: {},
    })),
    {
      name: 'runtimes-stay-out',
      comment: 'Only cli and proxy/node import modules of Node.',
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
      comment: 'Modules that a page downloads import only the types of schemas.',
      severity: 'error',
      from: {
        path: ['^src/(client|elements|define|react|locales)/', '^src/contract/'],
        pathNot: withValidator,
      },
      to: {
        path: [withValidator, 'node_modules/zod/'],
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
