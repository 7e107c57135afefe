import { formatted } from '../scripts/format.mjs'
import { type Fault, faultGroups } from './faults/index.ts'
import type { FaultResult, Figure, Results } from './results.ts'

const figureTitles: Readonly<Record<string, string>> = {
  callbacks: 'Callbacks while the proxy is killed',
  load: 'Load while the service is killed',
  streams: 'Live streams',
  uploads: 'Uploads that are cut off',
}

/** Returns `docs/reliability.md`. */
export async function reliabilityPage(results: Results): Promise<string> {
  const { machine, versions, figures } = results
  const text = `<!-- Written by \`npm run lab\`. Do not edit: change lab/page.ts or the table in lab/faults. -->

# Reliability

Routeslip is tested with 60 faults: broken connections, failing services, difficult browsers and pages, and lost or repeated callbacks. This page lists each of them, the behavior that is required, and the result of the last run. The command \`npm run lab\` runs the tests and writes this page.

For each fault, two kinds of tests run:

- The **tests** cause the fault and verify what the page shows, and what is in the services afterwards.
- The **control** shows that these tests can fail. It removes the defence from the source code and runs a test, which has to fail.

The results are of ${machine}. Versions: ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}.

${faultGroups
  .map(
    ({ title, faults }) => `## ${title}

| | Fault | The page shows | In the services afterwards | Result |
| --- | --- | --- | --- | --- |
${faults.map((fault) => rowOf(fault, results.faults[fault.id])).join('\n')}
`,
  )
  .join('\n')}
## Figures

These tests take longer than those of the table. Each states what was run and for how long.

${Object.entries(figureTitles)
  .map(([name, title]) => `### ${title}\n\n${figureText(name, figures[name])}`)
  .join('\n')}
## What was not run

- Packets that a network drops silently. The tests close connections, reset them, stop them at a byte, or keep them open without traffic; they do not change the network of the machine.
- A disk that is physically full. Tests make the writes fail instead.
- Sleeping laptops and frozen tabs of real devices. Tests hide pages and put them into the back/forward cache.
- Containers. The processes ran directly on the machine; [the deployment files](deploy/README.md) say how they were checked.
- Redis Cluster and Sentinel. The proxy refuses to start with their addresses.
- Screen readers. Tests use the roles, names and live regions that browsers report to them.
`
  return await formatted('reliability.md', text)
}

function rowOf({ id, fault, page, services, proofs }: Fault, result: FaultResult | undefined): string {
  return `| ${id} | ${fault} | ${page} | ${services} | ${resultText(proofs.length, result)} |`
}

function resultText(count: number, result: FaultResult | undefined): string {
  if (!result) return 'Not run.'
  const passed = result.proofs.filter((outcome) => outcome === 'passed').length
  const others = result.proofs.filter((outcome) => outcome !== 'passed')
  const tests = `${passed} of ${count} tests passed${others.length > 0 ? ` (${others.join(', ')})` : ''}`
  return `${tests}. ${controlText(result.control)} ${result.date}`
}

function controlText(control: FaultResult['control']): string {
  return control === 'noticed' ? 'Without the defence, a test fails.' : `Control: ${control}.`
}

function figureText(name: string, figure: Figure | undefined): string {
  if (!figure) return `Not run yet: \`npm run lab -- ${name}\`.\n`
  const [first] = figure.rows
  const columns = Object.keys(first ?? {})
  const table = [
    `| ${columns.join(' | ')} |`,
    `| ${columns.map(() => '---').join(' | ')} |`,
    ...figure.rows.map((row) => `| ${columns.map((column) => row[column]).join(' | ')} |`),
  ]
  return `${figure.run} Run ${figure.date}: \`npm run lab -- ${name}\`.\n\n${table.join('\n')}\n\n${figure.findings.map((text) => `- ${text}`).join('\n')}\n`
}
