const cache = 'node_modules/.cache/routeslip'

/**
 * Returns the checks that read the sources without running them, as arguments for Node. If `isCached`, they cache their
 * results and only check changed files again. `npm test` uses no cache.
 */
export function staticChecks(isCached) {
  const cached = (...args) => (isCached ? args : [])
  const types = (project, name) => [
    // TypeScript 7 is ten times as fast. The tools that read sources through its API still need `typescript` 6.
    'node_modules/typescript-7/bin/tsc',
    '-p',
    project,
    ...cached('--incremental', '--tsBuildInfoFile', `${cache}/${name}.tsbuildinfo`),
  ]
  return [
    { name: 'types', seconds: 4, args: types('.', 'types') },
    { name: 'types without Node', seconds: 2, args: types('src', 'types-without-node') },
    {
      name: 'lint',
      seconds: 6,
      args: ['node_modules/oxlint/bin/oxlint', '.'],
    },
    {
      name: 'lint of templates',
      seconds: 10,
      args: [
        'node_modules/eslint/bin/eslint.js',
        '.',
        '--max-warnings',
        '0',
        ...cached('--cache', '--cache-location', `${cache}/eslint.json`, '--cache-strategy', 'content'),
      ],
    },
    {
      name: 'format',
      seconds: 15,
      args: [
        'node_modules/prettier/bin/prettier.cjs',
        '--check',
        '.',
        '--log-level',
        'warn',
        ...cached('--cache', '--cache-location', `${cache}/prettier.json`, '--cache-strategy', 'content'),
      ],
    },
    {
      name: 'boundaries',
      seconds: 6,
      args: [
        'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        ...cached('--cache', `${cache}/boundaries`, '--cache-strategy', 'content'),
        'src',
      ],
    },
  ]
}
