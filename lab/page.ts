import { formatted } from '../scripts/format.mjs'
import { faultGroups } from './faults/index.ts'

/** Returns `docs/reliability.md`. */
export async function reliabilityPage(): Promise<string> {
  const text = `<!-- Written by \`npm run lab -- page\`. Do not edit: change lab/page.ts or the table in lab/faults. -->

# Reliability

This page lists 60 faults and what happens in each: broken connections, failing services, difficult browsers and pages, and lost or repeated callbacks. Each fault is caused by tests, which verify what the page shows and what is in the services afterwards. Another test shows that these can fail: it removes the defense from the source code, and one of them has to notice.

${faultGroups
  .map(
    ({ title, faults }) => `## ${title}

| | Fault | The page shows | In the services afterwards |
| --- | --- | --- | --- |
${faults.map(({ id, fault, page, services }) => `| ${id} | ${fault} | ${page} | ${services} |`).join('\n')}
`,
  )
  .join('\n')}
## What is not tested

- Packets that a network drops silently. The tests close connections, reset them, stop them at a byte, or keep them open without traffic.
- A disk that is physically full. Tests make the writes fail instead.
- Sleeping laptops and frozen tabs of real devices. Tests hide pages and put them into the back/forward cache.
- Redis Cluster and Sentinel. The proxy refuses to start with their addresses.
`
  return await formatted('reliability.md', text)
}
