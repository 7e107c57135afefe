const cache = 'node_modules/.cache/routeslip'
const settings = ['package-lock.json', 'tsconfig.json']

/**
 * A check that reads the sources without running them.
 *
 * @typedef {object} StaticCheck
 * @property {string} name
 * @property {number} seconds How long it takes on an idle machine, roughly.
 * @property {readonly string[]} args Arguments for Node. They check the whole tree.
 * @property {Partition} [quick] How `npm run check` divides it. Without this, it checks the whole tree too.
 */

/**
 * How a check is divided into parts that do not run again until something that they depend on has changed.
 *
 * @typedef {object} Partition
 * @property {readonly string[]} settings Files that all parts depend on.
 * @property {RegExp} files Files that are parts of their own.
 * @property {'content' | 'types' | 'imports'} by What a part depends on: its own file; also the files that it imports, because
 * their types matter; or only the statements that import something, and then all files are one part.
 * @property {readonly string[]} args Arguments for Node, which the files of the parts follow.
 */

/**
 * Returns the checks of the sources. If `isCached`, the compiler only reads changed files again.
 *
 * @returns {readonly StaticCheck[]}
 */
export function staticChecks(isCached) {
  const types = (project, name) => [
    // TypeScript 7 is ten times as fast, but has no stable API yet. typescript-eslint needs that of version 6, and imports it by
    // the name `typescript`; so do our own scripts and tests that read declarations.
    'node_modules/typescript-7/bin/tsc',
    '-p',
    project,
    ...(isCached ? ['--incremental', '--tsBuildInfoFile', `${cache}/${name}.tsbuildinfo`] : []),
  ]
  const lint = ['node_modules/oxlint/bin/oxlint']
  const lintTemplates = ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0']
  const format = ['node_modules/oxfmt/bin/oxfmt', '--check']
  const boundaries = [
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'src',
  ]
  // A changed file may be one that a check ignores.
  const ignoring = '--no-error-on-unmatched-pattern'
  return [
    { name: 'types', seconds: 4, args: types('.', 'types') },
    { name: 'types without Node', seconds: 2, args: types('src', 'types-without-node') },
    {
      name: 'lint',
      seconds: 6,
      args: [...lint, '.'],
      quick: {
        settings: [...settings, '.oxlintrc.json'],
        files: /\.[cm]?[jt]sx?$/,
        by: 'types',
        args: [...lint, ignoring],
      },
    },
    {
      name: 'lint of templates and waits',
      seconds: 10,
      args: [...lintTemplates, '.'],
      quick: {
        settings: [...settings, 'eslint.config.js'],
        files: /^(?:src|stories|test|tools)\/.*\.ts$/,
        by: 'content',
        args: [...lintTemplates, ignoring, '--no-warn-ignored'],
      },
    },
    {
      name: 'format',
      seconds: 1,
      args: [...format, '.'],
      quick: {
        settings: [...settings, '.oxfmtrc.json', '.editorconfig'],
        files: /./,
        by: 'content',
        args: [...format, ignoring],
      },
    },
    {
      name: 'boundaries',
      seconds: 6,
      args: boundaries,
      quick: {
        settings: [...settings, 'package.json', '.dependency-cruiser.cjs'],
        files: /^src\//,
        by: 'imports',
        args: boundaries,
      },
    },
  ]
}
