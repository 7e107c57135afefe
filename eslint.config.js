import { defineConfig, globalIgnores } from 'eslint/config'
import { configs as lit } from 'eslint-plugin-lit'
import litA11y from 'eslint-plugin-lit-a11y'
import noUnsanitized from 'eslint-plugin-no-unsanitized'
import { configs as wc } from 'eslint-plugin-wc'
import { parser } from 'typescript-eslint'

const waitForState =
  'Wait for a state, see stories/settled.ts and test/wait-until.ts. If a time is the subject, disable this rule and give the reason.'

/** Functions that wait for a time have one of these names, so that the rule finds their calls. */
const pauses = '/^(pause|delay|sleep)$/'

/** A loop may pause between two looks at a state. */
const loops = 'ForStatement, WhileStatement, DoWhileStatement'

/** Returns a selector that leaves out what is inside one of the nodes of `ancestors`. */
const outside = (ancestors, selector) => `${selector}:not(:matches(${ancestors}) ${selector})`

const timer = 'CallExpression[callee.name=setTimeout][arguments.1]:not([arguments.1.value=0])'
const resolving = [
  '[arguments.0.type=Identifier]',
  '[arguments.0.body.type=CallExpression][arguments.0.body.callee.name=resolve]',
]

/** What makes a test depend on the speed of the machine. */
const fixedWaits = [
  "ImportDeclaration[source.value='@open-wc/testing'] > ImportSpecifier[imported.name=/^(aTimeout|nextFrame)$/]",
  `ImportDeclaration[source.value=/timers.promises$/] > ImportSpecifier[imported.name=setTimeout][local.name!=${pauses}]`,
  outside(loops, `AwaitExpression > CallExpression[callee.name=${pauses}]`),
  outside(loops, 'CallExpression[callee.property.name=waitForTimeout]'),
  ...resolving.map((argument) =>
    outside(
      `${loops}, FunctionDeclaration[id.name=${pauses}], VariableDeclarator[id.name=${pauses}]`,
      `NewExpression[callee.name=Promise] ${timer}${argument}`,
    ),
  ),
  'CallExpression[callee.name=requestAnimationFrame] CallExpression[callee.name=requestAnimationFrame]',
].map((selector) => ({ selector, message: waitForState }))

/** An element shows a text, and for a moment its status region may hold the same text. Playwright refuses two. */
const ambiguousText = {
  selector:
    'CallExpression[callee.property.name=waitFor] > MemberExpression > CallExpression[callee.property.name=getByText]',
  message: 'The status region may hold the same text for a moment: wait for .first().',
}

/** What old libraries replace in a page, such as Prototype.js and MooTools. */
const replaced = [
  {
    selector:
      ':matches(ClassDeclaration, ClassExpression)[superClass.name=Event], NewExpression[callee.name=Event]',
    message: 'Old libraries replace Event. Use CustomEvent, or another class of the browser that extends it.',
  },
  {
    selector: 'CallExpression[callee.object.name=Array][callee.property.name=from][arguments.1]',
    message: 'Old libraries replace Array.from() by one without a second argument. Use [...values].map().',
  },
]

// ESLint checks templates and custom elements, what old libraries replace, and how tests wait. Oxlint checks TypeScript: its rules are in .oxlintrc.json.
export default defineConfig([
  globalIgnores([
    'dist',
    'lib',
    'test/package/consumer',
    'tools/frameworks/*/**',
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
  {
    // What pages load.
    files: ['src/{client,contract,define,elements,locales}/**/*.ts', 'src/*.ts'],
    languageOptions: { parser },
    rules: { 'no-restricted-syntax': ['error', ...replaced] },
  },
  {
    files: ['stories/**/*.ts', 'test/**/*.ts', 'tools/{ears,frameworks,libraries,stacks}/**/*.ts'],
    languageOptions: { parser },
    rules: { 'no-restricted-syntax': ['error', ...fixedWaits, ambiguousText] },
  },
])
