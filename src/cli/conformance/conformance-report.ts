import type { CheckResult } from '../../conformance/target.ts'

/** How results are printed: for people, as TAP 14, or as JUnit XML. */
export type ReporterName = 'text' | 'tap' | 'junit'

/** Turns results into lines. */
interface Reporter {
  /** Returns the lines that a result adds at once. */
  readonly add: (result: CheckResult) => readonly string[]
  /** Returns the lines at the end. */
  readonly end: () => readonly string[]
}

export function createReporter(name: ReporterName): Reporter {
  switch (name) {
    case 'text':
      return textReporter()
    case 'tap':
      return tapReporter()
    case 'junit':
      return junitReporter()
  }
}

/** Maximum number of checks that are listed for one cause. */
const maxListed = 10

/** Groups failures by cause, the most frequent first: one mistake in a proxy makes hundreds of checks fail. */
function textReporter(): Reporter {
  const results: CheckResult[] = []
  return {
    add(result) {
      results.push(result)
      return []
    },
    end() {
      const failed = results.filter(({ ok }) => !ok)
      const skipped = results.filter((result) => result.skipped !== undefined)
      const passed = results.length - failed.length - skipped.length
      const groups = [...groupBy(failed, ({ detail }) => causeOf(detail)).values()]
      return [
        ...groups.sort((one, other) => other.length - one.length).flatMap(groupLines),
        ...[...groupBy(skipped, (result) => result.skipped ?? '').entries()].map(
          ([reason, { length }]) => `skipped ${length}: ${reason}`,
        ),
        `${passed} passed, ${failed.length} failed`,
      ]
    },
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

function groupLines(group: readonly CheckResult[]): readonly string[] {
  const [first] = group
  if (!first) return []
  const { length } = group
  if (length === 1) return [`FAIL ${first.name}: ${first.detail}`]
  return [
    `FAIL ${length} checks, such as: ${first.detail}`,
    ...group.slice(0, maxListed).map(({ name }) => `     ${name}`),
    ...(length > maxListed ? [`     and ${length - maxListed} more; --reporter tap prints all`] : []),
  ]
}

/** Returns what details of the same cause have in common: not the ids, and not the requests that were sent. */
function causeOf(detail: string): string {
  return detail
    .replace(/; sent: (?!nothing).*$/s, '; sent: …')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4,}/g, '…')
}

/** Test Anything Protocol, version 14. */
function tapReporter(): Reporter {
  let count = 0
  return {
    add({ name, ok, detail, skipped }) {
      count += 1
      const head = count === 1 ? ['TAP version 14'] : []
      // Only these characters have a meaning in a description.
      const title = `${count} - ${name.replaceAll(/[\\#]/g, String.raw`\$&`)}`
      if (skipped !== undefined) return [...head, `ok ${title} # SKIP ${skipped}`]
      if (ok) return [...head, `ok ${title}`]
      return [...head, `not ok ${title}`, '  ---', `  message: ${JSON.stringify(detail)}`, '  ...']
    },
    end: () => [`1..${count}`],
  }
}

/** The XML that build servers read. A suite is a group of checks. */
function junitReporter(): Reporter {
  const results: CheckResult[] = []
  return {
    add(result) {
      results.push(result)
      return []
    },
    end() {
      const suites = groupBy(results, ({ name }) => /^[^:]*/.exec(name)?.[0] ?? '')
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="routeslip conformance" ${countsOf(results)}>`,
        ...[...suites].flatMap(([suite, members]) => [
          `  <testsuite name="${escape(suite)}" ${countsOf(members)}>`,
          ...members.map((result) => caseOf(suite, result)),
          '  </testsuite>',
        ]),
        '</testsuites>',
      ]
    },
  }
}

function caseOf(suite: string, { name, ok, detail, skipped }: CheckResult): string {
  const open = `    <testcase classname="${escape(suite)}" name="${escape(name)}"`
  if (skipped !== undefined) return `${open}><skipped message="${escape(skipped)}"/></testcase>`
  return ok ? `${open}/>` : `${open}><failure message="${escape(detail)}"/></testcase>`
}

function countsOf(results: readonly CheckResult[]): string {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter((result) => result.skipped !== undefined).length
  return `tests="${results.length}" failures="${failed}" skipped="${skipped}"`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for an attribute. XML 1.0 has no control characters. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign).replaceAll(/\p{Cc}/gu, '\uFFFD')
}
