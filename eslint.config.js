import { defineConfig, globalIgnores } from 'eslint/config'
import { configs as lit } from 'eslint-plugin-lit'
import litA11y from 'eslint-plugin-lit-a11y'
import noUnsanitized from 'eslint-plugin-no-unsanitized'
import { configs as wc } from 'eslint-plugin-wc'
import { parser } from 'typescript-eslint'

// ESLint checks templates and custom elements. Oxlint checks TypeScript: its rules are in .oxlintrc.json.
export default defineConfig([
  globalIgnores([
    'dist',
    'lib',
    'test/package/consumer',
    'test/package/frameworks',
    'storybook-static',
    '**/*.{js,mjs,cjs}',
  ]),
  {
    // What runs in pages. Only there are templates and custom elements.
    files: ['src/**/*.ts', 'stories/**/*.ts', 'test/**/*.ts'],
    ignores: ['src/{cli,conformance,contract,emulator,proxy}/**', 'test/**/*.node.test.ts'],
    extends: [lit['flat/recommended'], wc['flat/best-practice'], noUnsanitized.configs.recommended],
    plugins: { 'lit-a11y': litA11y },
    languageOptions: { parser },
    rules: {
      ...litA11y.configs.recommended.rules,
      // Lit implements the lifecycle.
      'wc/guard-super-call': 'off',
      // These would let strings become markup, or need inline styles.
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'lit/directives/unsafe-html.js', message: 'Rich text goes through the sanitizer.' },
            { name: 'lit/directives/unsafe-svg.js', message: 'Draw with svg`` templates.' },
            { name: 'lit/directives/style-map.js', message: 'Strict CSP blocks inline styles.' },
          ],
        },
      ],
    },
    settings: { wc: { elementBaseClasses: ['LitElement'] } },
  },
])
