const cache = 'node_modules/.cache/routeslip'

/**
 * Returns the checks that read the sources without running them, as arguments for Node. If `isCached`, they cache their
 * results and only check changed files again. ESLint then misses an error in an unchanged file if a type in another file
 * has changed, so `npm test` uses no cache.
 */
export function staticChecks(isCached) {
  const cached = (...args) => (isCached ? args : [])
  const types = (project, name) => [
    'node_modules/typescript/bin/tsc',
    '-p',
    project,
    ...cached('--incremental', '--tsBuildInfoFile', `${cache}/${name}.tsbuildinfo`),
  ]
  return [
    { name: 'types', seconds: 15, args: types('.', 'types') },
    { name: 'types without Node', seconds: 8, args: types('src', 'types-without-node') },
    {
      name: 'lint',
      seconds: 46,
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
