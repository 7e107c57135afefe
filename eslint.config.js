import { defineConfig, globalIgnores } from 'eslint/config'
import { configs as lit } from 'eslint-plugin-lit'
import litA11y from 'eslint-plugin-lit-a11y'
import noUnsanitized from 'eslint-plugin-no-unsanitized'
import { configs as wc } from 'eslint-plugin-wc'
import globals from 'globals'
import tseslint from 'typescript-eslint'

export default defineConfig([
  globalIgnores(['dist', 'lib', 'test/package/consumer', 'storybook-static', 'custom-elements.json']),
  tseslint.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['src/**/*.ts', 'stories/**/*.ts', 'test/**/*.ts'],
    extends: [lit['flat/recommended'], wc['flat/best-practice'], noUnsanitized.configs.recommended],
    plugins: { 'lit-a11y': litA11y },
    rules: {
      ...litA11y.configs.recommended.rules,
      // Lit calls listeners with the element as `this`.
      '@typescript-eslint/unbound-method': 'off',
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
  {
    files: ['test/**/*.ts'],
    rules: {
      // Chai asserts with properties. The `describe` and `it` of Node return promises.
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-floating-promises': 'off',
      // A fake implements an asynchronous interface.
      '@typescript-eslint/require-await': 'off',
    },
  },
])
