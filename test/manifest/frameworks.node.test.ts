// Type-checks a page for each framework, with the framework's own types and checker. The line after each comment `wrong`
// must be an error. No other line may be.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import ts from 'typescript'

const run = promisify(execFile)

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<
  Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
>

/** The dependencies of the applications, except for Routeslip. */
const packages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['lit', '@lit/context', '@lit/react', '@lit/task', 'zod'].map((name) => [name, dependencies[name] ?? '']),
  ),
  typescript: devDependencies['typescript'] ?? '',
  '@types/react': devDependencies['@types/react'] ?? '',
  'types-of-react-18': 'npm:@types/react@18.3.31',
  preact: '10.29.8',
  'solid-js': '1.9.19',
  svelte: '5.57.3',
  'svelte-check': '4.7.8',
  vue: '3.5.45',
  'vue-tsc': '3.3.14',
}

const jsx = `
export function Page({ id }: { id: string }) {
  return (
    <wf-context endpoint="/api/wf" form-id="6025" time-zone="America/Chicago">
      <wf-history id="a" lang="en" package-id="42" onwf-load={({ value, currentTarget }) => [value.past, currentTarget.packageId]} />
      <wf-history package-id={id} history={[{}]} key="b">Loading</wf-history>
      <wf-history package-id={42} onwf-error={({ error }) => error} />
      <wf-comments packageId={42} onwf-comments-count={({ count }) => count + 1} />
      <wf-attachments require="routing" onwf-load={({ value }) => value.types} onwf-change={({ to }) => to} />
      <wf-package-status onwf-load={({ value }) => value.found.state} onwf-sign={({ url }) => url} />
      <wf-badge package-id="42" onwf-load={({ value }) => value.found.state} />
      <fs-uploader name="files" required max-size={1000} metadata={{ a: 'b' }} onfs-change={({ asset }) => asset.uuid} />
      {/* wrong: an id is not an object */}
      <wf-history package-id={{}} />
      {/* wrong: the property is a number */}
      <wf-history packageId="42" />
      {/* wrong: unknown value */}
      <wf-attachments require="small" />
      {/* wrong: type of another event */}
      <wf-history onwf-load={(event: MouseEvent) => event.clientX} />
      {/* wrong: unknown attribute */}
      <wf-history packageid="42" />
      {/* wrong: unknown element */}
      <wf-histroy />
    </wf-context>
  )
}
`

const pages = {
  'react/page.tsx': `import type {} from 'routeslip/types/react'${jsx.replace('id="a"', 'className="wide"')}`,

  'preact/page.tsx': `import type {} from 'routeslip/types/preact'${jsx.replace('id="a"', 'class="wide"')}`,

  'solid/page.tsx': jsx
    .replace('id="a"', 'class="wide"')
    .replace(' key="b"', '')
    .replace('package-id={id}', 'attr:package-id={id}')
    .replace('onwf-error', 'on:wf-error')
    .replace(
      '{/* wrong: unknown element */}',
      `<wf-history prop:history={[{}]} prop:packageId={42} />
      {/* wrong: this sets the property, which is a number */}
      <wf-history package-id={id} />
      {/* wrong: unknown attribute */}
      <wf-history attr:packageid="42" />
      {/* wrong: type of another event */}
      <wf-history on:wf-error={(event: MouseEvent) => event.clientX} />
      {/* wrong: unknown element */}`,
    ),

  'react-wrappers/page.tsx': `
import { type ComponentRef, useRef } from 'react'
import { FsUploader, WfAttachments, WfBadge, WfContext, WfHistory, WfPackageStatus } from 'routeslip/react'

export function Page() {
  const uploader = useRef<ComponentRef<typeof FsUploader>>(null)
  return (
    <WfContext endpoint="/api/wf" formId={6025} timeZone="America/Chicago">
      <WfHistory className="wide" packageId={42} onWfLoad={({ value }) => value.past} />
      <WfBadge packageId={42} onWfLoad={({ value }) => value.approvers} />
      <WfPackageStatus onWfSign={(event) => event.preventDefault()}>Loading</WfPackageStatus>
      <FsUploader ref={uploader} required onFsChange={({ asset }) => [asset.uuid, uploader.current?.value]} />
      {/* wrong: the property is a number */}
      <WfHistory packageId="42" />
      {/* wrong: unknown value */}
      <WfAttachments require="small" />
      {/* wrong: type of another event */}
      <WfHistory onWfLoad={(event: MouseEvent) => event.clientX} />
      {/* wrong: unknown event */}
      <WfHistory onWfLod={() => {}} />
    </WfContext>
  )
}
`,

  'svelte/Page.svelte': `
<script lang="ts">
  import type {} from 'routeslip/types/svelte'
  let { id }: { id: string } = $props()
</script>

<wf-context endpoint="/api/wf" form-id="6025" time-zone="America/Chicago">
  <wf-history class="wide" package-id="42" onwf-load={({ value, currentTarget }) => [value.past, currentTarget.packageId]}></wf-history>
  <wf-history package-id={id} history={[{}]} onwf-error={({ error }) => error}>Loading</wf-history>
  <wf-comments packageId={42} onwf-comments-count={({ count }) => count + 1}></wf-comments>
  <wf-package-status onwf-sign={({ url }) => url}></wf-package-status>
  <fs-uploader name="files" required max-size={1000} metadata={{ a: 'b' }} onfs-change={({ asset }) => asset.uuid}></fs-uploader>
  <!-- wrong: an id is not an object -->
  <wf-history package-id={{}}></wf-history>
  <!-- wrong: the property is a number -->
  <wf-history packageId="42"></wf-history>
  <!-- wrong: unknown value -->
  <wf-attachments require="small"></wf-attachments>
  <!-- wrong: type of another event -->
  <wf-history onwf-load={(event: MouseEvent) => event.clientX}></wf-history>
  <!-- wrong: unknown event -->
  <wf-history onwf-lod={() => {}}></wf-history>
  <!-- wrong: unknown attribute -->
  <wf-history packageid="42"></wf-history>
</wf-context>
`,

  'svelte/Old.svelte': `
<script lang="ts">
  import type {} from 'routeslip/types/svelte'
</script>

<wf-history on:wf-load={({ value }) => value.past}></wf-history>
<!-- wrong: type of another event -->
<wf-history on:wf-load={(event: MouseEvent) => event.clientX}></wf-history>
`,

  'vue/Page.vue': `
<script setup lang="ts">
import type {} from 'routeslip/types/vue'
defineProps<{ id: string }>()
const show = (...texts: readonly string[]) => texts
</script>

<template>
  <wf-context endpoint="/api/wf" form-id="6025" time-zone="America/Chicago">
    <wf-history class="wide" id="a" package-id="42" @wf-load="({ value }) => value.past" />
    <wf-history :package-id="id" :history="[{}]">Loading</wf-history>
    <wf-comments :package-id="42" @wf-comments-count="({ count }) => count + 1" />
    <wf-package-status @wf-sign="({ url }) => show(url)" />
    <fs-uploader name="files" required :max-size="1000" :metadata="{ a: 'b' }" @fs-change="({ asset }) => show(asset.uuid)" />
    <!-- wrong: an id is not an object -->
    <wf-history :package-id="{}" />
    <!-- wrong: unknown value -->
    <wf-attachments require="small" />
    <!-- wrong: type of another event -->
    <wf-history @wf-load="(event: MouseEvent) => event.clientX" />
    <!-- wrong: unknown event -->
    <wf-history @wf-lod="() => {}" />
    <!-- wrong: unknown attribute -->
    <wf-history packageidd="42" />
    <!-- wrong: unknown element -->
    <wf-histroy />
  </wf-context>
</template>
`,
}

/** The options of a strict application. */
const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noEmit: true,
}

describe('types for frameworks', () => {
  let root = ''

  before(
    async () => {
      assert.ok(existsSync('lib') && existsSync('dist/types'), 'run `npm run build` first')
      root = realpathSync(mkdtempSync(join(tmpdir(), 'routeslip-types-')))
      writeFileSync(join(root, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
      await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
        cwd: root,
      })

      const own = join(root, 'node_modules/routeslip')
      cpSync('lib', join(own, 'lib'), { recursive: true, filter: (path) => !/\.js$/.test(path) })
      cpSync('dist/types', join(own, 'dist/types'), { recursive: true })
      const exports = {
        './types/*': './dist/types/*.d.ts',
        './react': './lib/react/index.d.ts',
      }
      writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'routeslip', type: 'module', exports }))
      for (const [file, text] of Object.entries(pages)) {
        mkdirSync(join(root, dirname(file)), { recursive: true })
        writeFileSync(join(root, file), text)
      }
    },
    { timeout: 120_000 },
  )

  after(() => rmSync(root, { recursive: true, force: true }))

  /** Returns the lines of a page that have errors. Throws if any other file has one. */
  function errorsInJsx(page: keyof typeof pages, options: object): number[] {
    const file = join(root, page)
    const { options: parsed, errors } = ts.convertCompilerOptionsFromJson(
      { ...compilerOptions, ...options },
      root,
      join(root, 'tsconfig.json'),
    )
    assert.deepEqual(errors, [])
    const program = ts.createProgram([file], parsed)
    const ours = program
      .getSourceFiles()
      .filter(
        ({ fileName }) => fileName === file || /\/routeslip\/(?:dist\/types|lib\/react)\//.test(fileName),
      )
    assert.ok(ours.length > 2, 'the program includes the types')
    return ours.flatMap((source) =>
      [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ start = 0, messageText }) => {
          const text = ts.flattenDiagnosticMessageText(messageText, '\n')
          assert.equal(source.fileName, file, text)
          return source.getLineAndCharacterOfPosition(start).line + 1
        },
      ),
    )
  }

  /** Returns the output of a checker that finds errors. */
  async function outputOf(program: string, folder: string, options: object, ...args: readonly string[]) {
    const cwd = join(root, folder)
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ ...options, include: ['.'] }))
    const { stdout } = await run(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd,
    }).catch((error: { readonly stdout: string }) => error)
    return stdout
  }

  it('fit React 19', () => {
    assertWrong('react/page.tsx', errorsInJsx('react/page.tsx', { jsx: 'react-jsx' }))
  })

  it('fit Preact', () => {
    const options = { jsx: 'react-jsx', jsxImportSource: 'preact' }
    assertWrong('preact/page.tsx', errorsInJsx('preact/page.tsx', options))
  })

  it('fit Solid', () => {
    // Solid enables the types here, not in the page.
    const options = { jsx: 'preserve', jsxImportSource: 'solid-js', types: ['routeslip/types/solid'] }
    assertWrong('solid/page.tsx', errorsInJsx('solid/page.tsx', options))
  })

  it('of the components for React fit React 18', () => {
    const types = `${root}/node_modules/types-of-react-18`
    const paths = { react: [`${types}/index.d.ts`], 'react/jsx-runtime': [`${types}/jsx-runtime.d.ts`] }
    const page = 'react-wrappers/page.tsx'
    assertWrong(page, errorsInJsx(page, { jsx: 'react-jsx', paths }))
  })

  it('fit Vue templates', async () => {
    const options = {
      compilerOptions: { ...compilerOptions, skipLibCheck: true },
      vueCompilerOptions: { strictTemplates: true },
    }
    const output = await outputOf('vue-tsc/bin/vue-tsc.js', 'vue', options)
    assertWrong('vue/Page.vue', linesIn(output, /^(\S+)\((\d+),\d+\): error /gm, 'Page.vue'), output)
  })

  it('fit Svelte', async () => {
    const options = { compilerOptions: { ...compilerOptions, skipLibCheck: true } }
    const args = ['--tsconfig', './tsconfig.json', '--output', 'machine']
    const output = await outputOf('svelte-check/bin/svelte-check', 'svelte', options, ...args)
    for (const page of ['Page.svelte', 'Old.svelte'] as const)
      assertWrong(`svelte/${page}`, linesIn(output, / ERROR "(\S+)" (\d+):/g, page), output)
    assert.match(output, / 2 FILES_WITH_PROBLEMS/)
  })
})

/** Returns the lines of one page in the output of a checker. */
function linesIn(output: string, pattern: RegExp, page: string): number[] {
  return [...output.matchAll(pattern)].filter(([, file]) => file === page).map(([, , line]) => Number(line))
}

function assertWrong(page: keyof typeof pages, lines: readonly number[], output = ''): void {
  const expected = pages[page]
    .split('\n')
    .flatMap((line, index) => (/(?:\/\*|<!--) wrong: /.test(line) ? [index + 2] : []))
  assert.ok(expected.length > 0, 'the page has lines with errors')
  assert.deepEqual(
    [...new Set(lines)].sort((a, b) => a - b),
    expected,
    output,
  )
}
