import { formatted } from '../../scripts/format.mjs'
import { faultGroups } from './faults/index.ts'

/** Returns `docs/reliability.md`. */
export async function reliabilityPage(): Promise<string> {
  const text = `<!-- Written by \`npm run lab -- page\`. Do not edit: change tools/lab/page.ts or the table in tools/lab/faults. -->

# Reliability

60 faults and what happens in each. Tests cause all of them.

${faultGroups
  .map(
    ({ title, faults }) => `## ${title}

| No. | Fault | The page shows | In the services afterwards |
| --- | --- | --- | --- |
${faults.map(({ id, fault, page, services }) => `| ${id} | ${fault} | ${page} | ${services} |`).join('\n')}
`,
  )
  .join('\n')}
`
  return await formatted('reliability.md', text)
}
