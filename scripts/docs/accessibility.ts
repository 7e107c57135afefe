import { table } from './table.ts'

// Generates the accessibility statement from the results of the tests: a result for each criterion.

/** The results of test/docs/accessibility.node.test.ts: docs/accessibility.json. */
export interface Results {
  /** Version of axe-core. */
  readonly axe: string
  /** The day on which they were recorded, such as 2026-11-23. */
  readonly date: string
  /** By tag. */
  readonly elements: Readonly<Record<string, ElementResults>>
}

export interface ElementResults {
  /** The states that were tested. */
  readonly states: readonly string[]
  /** By criterion, the axe rules that applied and passed. */
  readonly passed: Readonly<Record<string, readonly string[]>>
  /** By criterion, the axe rules that need a manual review. */
  readonly undecided: Readonly<Record<string, readonly string[]>>
  /** By criterion, the axe rules that failed. */
  readonly violated: Readonly<Record<string, readonly string[]>>
  /** The problems that our own checks found, by name of the check. */
  readonly checks: Readonly<Record<string, readonly string[]>>
}

/** Our own checks: the criteria that each tests, and how. */
export const checks = {
  'text alternatives': {
    criteria: ['1.1.1'],
    does: 'Each graphic has a name, or a text beside it means the same.',
  },
  references: {
    criteria: ['1.3.1'],
    does: 'Each reference to a label, a description or a list leads to an element.',
  },
  sequence: {
    criteria: ['1.3.2'],
    does: 'Assistive technology reads in the order on the screen, wide, narrow and right to left.',
  },
  color: {
    criteria: ['1.4.1'],
    does: 'Whatever has a color of its own also has a text or a shape, and no shape has two colors.',
  },
  'text contrast': {
    criteria: ['1.4.3'],
    does: 'The contrast of text is at least 4.5 to 1, or 3 to 1 if it is large, light and dark.',
  },
  'non-text contrast': {
    criteria: ['1.4.11'],
    does: 'Borders of fields, marks, bars and focus rings have a contrast of at least 3 to 1, light and dark.',
  },
  hover: {
    criteria: ['1.4.13'],
    does: 'Moving the pointer to a control shows nothing else.',
  },
  flashes: {
    criteria: ['2.3.1'],
    does: 'No animation repeats more than three times a second.',
  },
  'link names': {
    criteria: ['2.4.4'],
    does: 'Each link names where it leads, and links with one name lead to one address.',
  },
  labels: {
    criteria: ['2.4.6', '3.3.2'],
    does: 'Each control, group and heading has a label; no two controls of an element have the same.',
  },
  'visible labels': {
    criteria: ['2.5.3'],
    does: 'The name of each control contains the text that it shows.',
  },
  'same names': {
    criteria: ['3.2.4'],
    does: 'Controls that several elements have are named the same everywhere.',
  },
  keyboard: {
    criteria: ['2.1.1', '2.1.2'],
    does: 'Tab reaches every control and then leaves the element; Shift+Tab returns. All controls are native. Escape closes dialogs.',
  },
  'focus order': {
    criteria: ['2.4.3'],
    does: 'Tab follows the order of the document. When a dialog closes, the focus returns to the control that opened it.',
  },
  'focus visible': {
    criteria: ['2.4.7'],
    does: 'Each focused control has an outline.',
  },
  'focus not obscured': {
    criteria: ['2.4.11'],
    does: 'Each focused control is in view, and nothing covers it.',
  },
  'on focus': {
    criteria: ['3.2.1'],
    does: 'Moving the focus opens nothing and does not navigate.',
  },
  'on input': {
    criteria: ['3.2.2'],
    does: 'Input opens nothing and does not navigate or move the focus.',
  },
  'pointer cancellation': {
    criteria: ['2.5.2'],
    does: 'Pressing on a control and releasing elsewhere does nothing.',
  },
  reflow: {
    criteria: ['1.4.10'],
    does: 'At a width of 320 CSS pixels, nothing overflows and no text is cut off.',
  },
  'text spacing': {
    criteria: ['1.4.12'],
    does: 'With the text spacing of the criterion, nothing overflows and no text is cut off.',
  },
  'text size': {
    criteria: ['1.4.4'],
    does: 'With a doubled font size, all text doubles, nothing overflows and no text is cut off.',
  },
  orientation: {
    criteria: ['1.3.4'],
    does: 'Portrait and landscape show the same text.',
  },
  images: {
    criteria: ['1.4.5'],
    does: 'There are no images, canvases or background images.',
  },
  motion: {
    criteria: ['2.2.2'],
    does: 'Nothing moves for more than five seconds, except placeholders during loading; with reduced motion, nothing.',
  },
  language: {
    criteria: ['3.1.2'],
    does: 'Text is marked with its language, also English text on a page in a language without messages.',
  },
  'status messages': {
    criteria: ['4.1.3'],
    does: 'A change is announced in a status region, and the focus does not move.',
  },
  dragging: {
    criteria: ['2.5.7'],
    does: 'A button chooses the files that can also be dropped.',
  },
  'error identification': {
    criteria: ['3.3.1', '3.3.3'],
    does: 'A text describes the problem with an input and how to fix it.',
  },
  'error prevention': {
    criteria: ['3.3.4'],
    does: 'An action that cannot be undone needs a confirmation.',
  },
} as const satisfies Readonly<Record<string, { readonly criteria: readonly string[]; readonly does: string }>>

export type CheckName = keyof typeof checks

/** What a developer has read and judged, by criterion. */
export const reviews: Readonly<Record<string, { readonly date: string; readonly found: string }>> = {
  '1.3.3': {
    date: '2026-11-23',
    found:
      'no English text identifies a control by place, shape, color or sound. “See the offices below” names the lower level of the hierarchy.',
  },
  '2.2.1': {
    date: '2026-11-23',
    found: 'no timer of the elements and of the client ends anything that a person has begun.',
  },
}

/** Why a criterion does not apply to the elements, or to some of them. */
type Exempt = string | Readonly<Record<string, string>>

interface Criterion {
  readonly number: string
  readonly level: 'A' | 'AA'
  readonly title: string
  /** The reason why the criterion does not apply. Without it, the criterion applies. */
  readonly exempt?: Exempt
}

const noMedia = 'No audio and no video.'
const ofPage = 'For whole pages.'
const noInput = 'The element has no input.'

/** Levels A and AA of WCAG 2.2. */
export const criteria: readonly Criterion[] = (
  [
    ['1.1.1', 'A', 'Non-text Content'],
    ['1.2.1', 'A', 'Audio-only and Video-only', noMedia],
    ['1.2.2', 'A', 'Captions (Prerecorded)', noMedia],
    ['1.2.3', 'A', 'Audio Description or Media Alternative', noMedia],
    ['1.2.4', 'AA', 'Captions (Live)', noMedia],
    ['1.2.5', 'AA', 'Audio Description', noMedia],
    ['1.3.1', 'A', 'Info and Relationships'],
    ['1.3.2', 'A', 'Meaningful Sequence'],
    ['1.3.3', 'A', 'Sensory Characteristics'],
    ['1.3.4', 'AA', 'Orientation'],
    ['1.3.5', 'AA', 'Identify Input Purpose', 'No input is about the user.'],
    ['1.4.1', 'A', 'Use of Color'],
    ['1.4.2', 'A', 'Audio Control', noMedia],
    ['1.4.3', 'AA', 'Contrast (Minimum)'],
    ['1.4.4', 'AA', 'Resize Text'],
    ['1.4.5', 'AA', 'Images of Text'],
    ['1.4.10', 'AA', 'Reflow'],
    ['1.4.11', 'AA', 'Non-text Contrast'],
    ['1.4.12', 'AA', 'Text Spacing'],
    ['1.4.13', 'AA', 'Content on Hover or Focus'],
    ['2.1.1', 'A', 'Keyboard'],
    ['2.1.2', 'A', 'No Keyboard Trap'],
    ['2.1.4', 'A', 'Character Key Shortcuts', 'The elements have no keyboard shortcuts.'],
    ['2.2.1', 'A', 'Timing Adjustable'],
    ['2.2.2', 'A', 'Pause, Stop, Hide'],
    ['2.3.1', 'A', 'Three Flashes or Below Threshold'],
    ['2.4.1', 'A', 'Bypass Blocks', ofPage],
    ['2.4.2', 'A', 'Page Titled', ofPage],
    ['2.4.3', 'A', 'Focus Order'],
    [
      '2.4.4',
      'A',
      'Link Purpose (In Context)',
      { 'wf-office': 'Its only link signs people in, with the words of the other elements.' },
    ],
    ['2.4.5', 'AA', 'Multiple Ways', ofPage],
    ['2.4.6', 'AA', 'Headings and Labels'],
    ['2.4.7', 'AA', 'Focus Visible'],
    ['2.4.11', 'AA', 'Focus Not Obscured (Minimum)'],
    ['2.5.1', 'A', 'Pointer Gestures', 'The only gesture is a click.'],
    ['2.5.2', 'A', 'Pointer Cancellation'],
    ['2.5.3', 'A', 'Label in Name'],
    ['2.5.4', 'A', 'Motion Actuation', 'Moving the device does nothing.'],
    [
      '2.5.7',
      'AA',
      'Dragging Movements',
      {
        'wf-package-status': 'Nothing can be dragged.',
        'wf-history': 'Nothing can be dragged.',
        'wf-comments': 'Nothing can be dragged.',
        'wf-form': 'Nothing can be dragged.',
        'wf-office': 'Nothing can be dragged.',
        'wf-route': 'Nothing can be dragged.',
        'wf-overrides': 'Nothing can be dragged.',
        'fs-files': 'Nothing can be dragged.',
        'fs-shares': 'Nothing can be dragged.',
      },
    ],
    ['2.5.8', 'AA', 'Target Size (Minimum)'],
    ['3.1.1', 'A', 'Language of Page', ofPage],
    ['3.1.2', 'AA', 'Language of Parts'],
    ['3.2.1', 'A', 'On Focus'],
    ['3.2.2', 'A', 'On Input', { 'wf-history': noInput, 'wf-route': noInput }],
    ['3.2.3', 'AA', 'Consistent Navigation', ofPage],
    ['3.2.4', 'AA', 'Consistent Identification'],
    ['3.2.6', 'A', 'Consistent Help', ofPage],
    [
      '3.3.1',
      'A',
      'Error Identification',
      {
        'wf-history': noInput,
        'wf-route': noInput,
        'wf-comments': 'The only input is a search, which cannot be invalid.',
      },
    ],
    ['3.3.2', 'A', 'Labels or Instructions', { 'wf-history': noInput, 'wf-route': noInput }],
    [
      '3.3.3',
      'AA',
      'Error Suggestion',
      {
        'wf-history': noInput,
        'wf-route': noInput,
        'wf-comments': 'The only input is a search, which cannot be invalid.',
      },
    ],
    [
      '3.3.4',
      'AA',
      'Error Prevention (Legal, Financial, Data)',
      {
        'wf-history': 'The element changes no data.',
        'wf-comments': 'The element changes no data.',
        'wf-office': 'The element changes no data.',
        'wf-route': 'The element changes no data.',
      },
    ],
    ['3.3.7', 'A', 'Redundant Entry', 'No element requests the same input twice.'],
    ['3.3.8', 'AA', 'Accessible Authentication (Minimum)', 'The elements do not sign users in.'],
    ['4.1.2', 'A', 'Name, Role, Value'],
    ['4.1.3', 'AA', 'Status Messages'],
  ] as const satisfies readonly (readonly [string, 'A' | 'AA', string, Exempt?])[]
).map(([number, level, title, exempt]: readonly [string, 'A' | 'AA', string, Exempt?]) => ({
  number,
  level,
  title,
  ...(exempt !== undefined && { exempt }),
}))

/** Returns the generated part of docs/accessibility.md: the two tables of the conformance report. */
export function accessibilityText(results: Results): string {
  const tableOf = (wanted: 'A' | 'AA') =>
    table(
      ['Criteria', 'Conformance Level', 'Remarks and Explanations'],
      criteria
        .filter(({ level }) => level === wanted)
        .map((criterion) => [`${criterion.number} ${criterion.title}`, ...conformanceOf(criterion, results)]),
    )
  return [
    '## WCAG 2.2 report',
    '',
    `Results recorded on ${results.date}.`,
    '',
    '### Table 1: Success Criteria, Level A',
    '',
    tableOf('A'),
    '',
    '### Table 2: Success Criteria, Level AA',
    '',
    tableOf('AA'),
  ].join('\n')
}

/** Returns the conformance level of a criterion in the terms of the VPAT, and what proves it. */
export function conformanceOf(
  criterion: Criterion,
  results: Results,
): readonly [level: string, remarks: string] {
  const { number, exempt } = criterion
  if (typeof exempt === 'string') return ['Not Applicable', exempt]
  const tags = Object.keys(results.elements).filter((tag) => exempt === undefined || !(tag in exempt))
  const verdicts = tags.map((tag) => verdict(criterion, results.elements[tag]))
  const failing = tags.filter((_, index) => verdicts[index] === false)
  const review = reviews[number]
  const isOpen = verdicts.includes(undefined) && !review
  const rules = [...new Set(tags.flatMap((tag) => results.elements[tag]?.passed[number] ?? []))].sort()
  const own = Object.entries(checks).filter(([, check]) =>
    (check.criteria as readonly string[]).includes(number),
  )
  const remarks = [
    ...(failing.length > 0 ? [`Fails: ${failing.map(code).join(', ')}.`] : []),
    ...own.map(
      ([
        name,
        {
          criteria: [first],
          does,
        },
      ]) => `*${name}*: ${first === number ? does : `see ${first}.`}`,
    ),
    ...(rules.length > 0 ? [`axe: ${rules.map(code).join(', ')}.`] : []),
    ...(review ? [`Reviewed by a developer on ${review.date}: ${review.found}`] : []),
    ...(exempt === undefined ? [] : [appliesTo(tags, Object.keys(exempt))]),
  ]
  const level =
    failing.length > 0 && failing.length === tags.length
      ? 'Does Not Support'
      : failing.length > 0
        ? 'Partially Supports'
        : isOpen
          ? 'Not Evaluated'
          : 'Supports'
  return [level, remarks.join(' ')]
}

/** Returns to which elements a criterion applies, or, if these are fewer, to which it does not. */
function appliesTo(tags: readonly string[], others: readonly string[]): string {
  return tags.length > 0 && tags.length < others.length
    ? `Applies only to ${tags.map(code).join(', ')}.`
    : `Does not apply to ${others.map(code).join(', ')}.`
}

/** Whether an element meets a criterion; `undefined` if no test has decided it. */
function verdict({ number }: Criterion, results: ElementResults | undefined): boolean | undefined {
  const own = Object.entries(checks).filter(
    ([name, { criteria }]) => (criteria as readonly string[]).includes(number) && results?.checks[name],
  )
  if (results?.violated[number] || own.some(([name]) => results?.checks[name]?.length)) return false
  return results?.passed[number] || own.length > 0 ? true : undefined
}

function code(text: string): string {
  return `\`${text.includes('-') && !text.includes(' ') && /^(?:wf|fs)-/.test(text) ? `<${text}>` : text}\``
}
