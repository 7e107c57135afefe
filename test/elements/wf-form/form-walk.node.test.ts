// Random sequences of what people, pages, the service and other tabs do to the fields of a form. After each step, `next` has to have
// kept its promises. Mutants of it show that each promise can be broken.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type EntryValues, mergeEntries } from '../../../src/elements/wf-form/state/entry-merge.ts'
import * as fieldState from '../../../src/elements/wf-form/state/field-state.ts'
import * as formState from '../../../src/elements/wf-form/state/form-state.ts'
import * as origins from '../../../src/elements/wf-form/state/origins.ts'
import { type ModelControl, PageModel } from './page-model.ts'

type Machine = typeof fieldState & typeof origins & typeof formState

const original: Machine = { ...fieldState, ...origins, ...formState }
const sequences = 10_000
/** Each imports only those before it. */
const files = ['field-state.ts', 'origins.ts', 'form-state.ts']
const folder = new URL('../../../src/elements/wf-form/state/', import.meta.url)

describe('what a form knows, in random sequences', () => {
  it(`keeps all promises in ${sequences} of them`, () => {
    const reached = new Map<string, number>()
    for (let seed = 1; seed <= sequences; seed++)
      walk(original, seed, (what) => reached.set(what, (reached.get(what) ?? 0) + 1))
    // A walk that gets nowhere proves nothing.
    for (const what of [
      'stored',
      'conflict',
      'crash',
      'late control',
      'other tab',
      'discard',
      'other person',
      'script',
      'put back',
    ])
      assert.ok((reached.get(what) ?? 0) > sequences / 20, `${what}: ${reached.get(what) ?? 0}`)
  })

  for (const [name, promise, file, from, to] of mutants())
    it(`notices that ${name}`, async () => {
      const mutant = await mutated(file, from, to)
      let noticed = ''
      for (let seed = 1; seed <= sequences && !noticed; seed++) {
        try {
          walk(mutant, seed)
        } catch (error) {
          noticed = String(error)
        }
      }
      assert.match(noticed, promise)
    })
})

/** What is wrong, the promise that it breaks, and the change of a text that occurs once. */
function mutants(): readonly (readonly [string, RegExp, string, string, string])[] {
  return [
    [
      'a new control counts as emptied',
      /was not typed|shows|overwrites/,
      'field-state.ts',
      'if (isFresh && field) {',
      "if (isFresh && field?.is === 'typed') {",
    ],
    [
      'a new control loses what was typed',
      /shows|is lost/,
      'field-state.ts',
      "if (field.is === 'typed') type(field.typed.value)",
      "if (field.is === 'typed') return field",
    ],
    [
      'what was typed while something was sent counts as saved',
      /is lost|does not have/,
      'field-state.ts',
      'const isSent = same(typed.value, sent[name])',
      'const isSent = true',
    ],
    [
      'what was undone while it was sent comes back',
      /is lost|does not have/,
      'field-state.ts',
      'const isUndone = Object.hasOwn(sending, name)',
      'const isUndone = false && Object.hasOwn(sending, name)',
    ],
    [
      'secrets are kept',
      /secret/,
      'field-state.ts',
      "field.is === 'typed' && !field.isSecret ?",
      "field.is === 'typed' ?",
    ],
    [
      'a disabled control is sent',
      /is disabled/,
      'field-state.ts',
      "field.is === 'typed' && !field.isOff)",
      "field.is === 'typed')",
    ],
    [
      'the next person sees the fields',
      /of another person/,
      'form-state.ts',
      '[{ fields: new Map(), own, sending: {} }',
      '[{ fields, own, sending: {} }',
    ],
    [
      'another package shows the values of the first',
      /of another person|shows|does not have/,
      'form-state.ts',
      '? returned(own)',
      '? { fields, shows: {} }',
    ],
    [
      'discarding leaves what was typed',
      /was discarded/,
      'field-state.ts',
      "if (field?.is !== 'typed') return field\n    const { base, isOff",
      "if (field?.is !== 'stored') return field\n    const { base, isOff",
    ],
    [
      'the changes of somebody else are overwritten',
      /overwrites/,
      'field-state.ts',
      'return isFirst && base.value === undefined ? { ...field, base: twice(value) } : field',
      'return { ...field, base: twice(value) }',
    ],
    [
      'a crash hides a conflict',
      /overwrites/,
      'field-state.ts',
      'const known = Object.hasOwn(bases, name) ? bases[name] : undefined',
      'const known = undefined',
    ],
    [
      'an untouched field stays as it was',
      /shows|overwrites/,
      'field-state.ts',
      "show(value)\n    return { is: 'stored', base: twice(value) }\n  })\n}\n\n/**\n * Notes that",
      "return { is: 'stored', base: twice(value) }\n  })\n}\n\n/**\n * Notes that",
    ],
    [
      'older input wins over that of another tab',
      /is lost|shows/,
      'field-state.ts',
      "(field?.is === 'typed' && !wins)",
      "field?.is === 'typed'",
    ],
    [
      'what a control cannot show counts as typed',
      /was not typed|is kept/,
      'field-state.ts',
      "return { is: 'shown', base: { value: field?.base.value, reads }, ...flags }",
      'return field',
    ],
    [
      'a choice in one conflict hides another',
      /overwrites/,
      'field-state.ts',
      "if (choices[name] === 'mine') followed",
      "if (field.is === 'typed' && Object.hasOwn(theirs, name)) followed",
    ],
    [
      'what was undone after it was sent is not merged',
      /shows|does not have|is lost/,
      'field-state.ts',
      'const known = !isUndone ? field.base.value : isSent ? sending[name] : undefined',
      'const known = field.base.value',
    ],
    [
      'what scripts write counts as typed',
      /was not typed|overwrites|is lost|does not have/,
      'origins.ts',
      'const isRefused = isChanged &&',
      'const isRefused = false && isChanged &&',
    ],
    [
      'what an editor puts back counts as typed',
      /was not typed|overwrites|is lost|does not have/,
      'origins.ts',
      'const isPutBack =',
      'const isPutBack = false &&',
    ],
    [
      'a default of the page counts as its answer',
      /was not typed/,
      'origins.ts',
      '!same(own[name], value) &&',
      '',
    ],
    [
      'what is entered counts as the work of a script',
      /is lost|shows/,
      'origins.ts',
      'const isEntered = entered.includes(name)',
      'const isEntered = false',
    ],
  ]
}

async function mutated(file: string, from: string, to: string): Promise<Machine> {
  const target = await mkdtemp(join(tmpdir(), 'form-mutant-'))
  try {
    const modules: object[] = []
    for (const name of files) {
      const source = await readFile(new URL(name, folder), 'utf8')
      if (name === file) assert.equal(source.split(from).length, 2, `occurs once: ${from}`)
      await writeFile(join(target, name), name === file ? source.replace(from, () => to) : source)
    }
    for (const name of files) modules.push((await import(pathToFileURL(join(target, name)).href)) as object)
    return Object.assign({}, ...modules) as Machine
  } finally {
    await rm(target, { recursive: true })
  }
}

/** Keys of the form in the service. The page never shows `d`, and `b` cannot show each value. */
const keys = ['a', 'b', 'c', 'd', 's'] as const
const blank: EntryValues = { a: null, b: 'own', c: null, s: null }

interface Flight {
  readonly entry: EntryValues
  readonly sent: EntryValues
}

/** Takes a random sequence of steps, and throws if a promise is broken. */
function walk(machine: Machine, seed: number, reach: (what: string) => void = () => {}): void {
  const random = numbers(seed)
  const trace: string[] = []
  let count = 0
  let person = 'Ana'
  /** The entry in the service. */
  let stored: EntryValues = Object.fromEntries(keys.map((key) => [key, fresh('stored')]))
  let flight: Flight | undefined
  /** The latest input, by key, unless it was given up. */
  let expected = new Map<string, unknown>()
  /** What the person has seen or decided about, by key and value. */
  const seen = new Set<string>()
  const typed = new Set<unknown>()
  /** Keys that other people change as well. */
  let shared: readonly string[] = keys
  let page = open({ entry: {} })

  try {
    check()
    for (let step = 0; step < 40; step++) {
      act()
      check()
    }
    end()
  } catch (error) {
    throw new Error(`Sequence ${seed}: ${String(error)}\n${trace.join('\n')}`, { cause: error })
  }

  function pick<T>(list: readonly T[]): T {
    return list[Math.floor(random() * list.length)]!
  }

  function fresh(prefix: string): string {
    return `${prefix} ${++count}`
  }

  function open(kept: fieldState.Kept): PageModel {
    const opened = new PageModel(blank, machine.next)
    opened.shows = (key, value) => (key === 'b' && /[37]$/.test(String(value)) ? null : value)
    opened.controls.get('s')!.isSecret = true
    opened.read()
    opened.dispatch({ type: 'opened', entry: stored, kept, isOther: false })
    return opened
  }

  function fieldOf(key: string): fieldState.Field | undefined {
    return page.state.fields.get(key)
  }

  function act(): void {
    const action = pick(actions)
    const key = pick(['a', 'b', 'c', 's'])
    const control = page.controls.get(key)
    trace.push(`${action} ${key}`)
    switch (action) {
      case 'type': {
        if (!control || control.isOff) return
        const before = fieldOf(key)
        const value = before && random() < 0.2 ? before.base.reads : fresh(`typed by ${person}`)
        if (JSON.stringify(value) === JSON.stringify(control.value)) return
        // After a crash, a form does not know what was sent, so it takes this for the value that the service has.
        const isStale = before && value === before.base.reads && before.base.value !== stored[key]
        if (isStale && !Object.hasOwn(page.state.sending, key)) return
        expected.set(key, value === before?.base.reads ? (before?.base.value ?? value) : value)
        typed.add(value).add(expected.get(key))
        // It is as the page wrote it, and the service knows nothing else.
        const isBlank = value === before?.base.reads && before?.base.value === undefined
        if (isBlank && !Object.hasOwn(page.state.sending, key)) expected.delete(key)
        return page.type({ [key]: value })
      }
      case 'control': {
        if (key === 's') return
        reach('late control')
        const next: ModelControl = { value: key === 'b' ? 'own' : null }
        if (control && random() < 0.3) control.isOff = !control.isOff
        else if (control && random() < 0.5) page.controls.delete(key)
        else page.controls.set(key, next)
        return page.read()
      }
      case 'somebody else':
        stored = { ...stored, [pick(shared)]: fresh('by somebody else') }
        return
      case 'load':
        if (!flight) page.dispatch({ type: 'loaded', entry: stored })
        return
      case 'save':
        return save()
      case 'deliver':
        return deliver(pick(['ok', 'ok', 'ok', 'request lost', 'reply lost']))
      case 'crash': {
        const kept = machine.keptOf(page.state.fields) ?? { entry: {} }
        if (JSON.stringify(kept).includes('secret')) throw new Error('A secret is kept')
        reach('crash')
        flight = undefined
        // Secrets are not kept.
        expected.delete('s')
        page = open(JSON.parse(JSON.stringify(kept)) as fieldState.Kept)
        return
      }
      case 'other tab': {
        const known = ['a', 'c'].filter((name) => page.controls.get(name)?.isOff !== true)
        const other = pick(known.length > 0 ? known : ['d'])
        if (other === 'd') return
        const value = fresh(`typed by ${person}`)
        const field = fieldOf(other)
        see(other, field?.base.value)
        expected.set(other, value)
        typed.add(value)
        reach('other tab')
        const base = field?.base.value
        return page.dispatch({
          type: 'copied',
          kept: { entry: { [other]: value }, ...(base !== undefined && { base: { [other]: base } }) },
        })
      }
      case 'script': {
        if (!control || page.state.origins?.isUntouched === false) return
        reach('script')
        return page.script({ [key]: fresh('script') })
      }
      case 'put back': {
        // An editor that was ready before the field was filled.
        if (!control || !page.state.origins?.earlier.has(JSON.stringify([key, null]))) return
        reach('put back')
        return page.submit({ [key]: null })
      }
      case 'discard':
        if (flight) return
        reach('discard')
        page.read()
        const given = [...page.state.fields.values()].flatMap((field) =>
          field.is === 'typed' && field.typed.value !== field.base.value && typed.has(field.typed.value)
            ? [field.typed.value]
            : [],
        )
        const bases = [...page.state.fields.values()].flatMap(({ base }) => [base.value, base.reads])
        expected = new Map()
        page.dispatch({ type: 'discarded' })
        if (machine.keptOf(page.state.fields)) throw new Error('What was discarded is kept')
        for (const [name, { value }] of page.controls)
          if (given.includes(value) && !bases.includes(value))
            throw new Error(`${name}: ${String(value)} was discarded`)
        return
      case 'other person': {
        if (flight) return
        reach('other person')
        const isPerson = random() < 0.5
        person = isPerson ? fresh('Ben') : person
        if (isPerson) page.dispatch({ type: 'emptied' })
        stored = Object.fromEntries(['a', 'c', 'd', 's'].map((name) => [name, fresh('stored')]))
        // It lacks `b`, so that nothing of the first package may stay there. Nobody else knows of the field.
        shared = ['a', 'c', 'd', 's']
        expected = new Map()
        const before = new Set(typed)
        page.dispatch({ type: 'opened', entry: stored, kept: { entry: {} }, isOther: !isPerson })
        const everything = JSON.stringify([[...page.state.fields], [...page.controls.values()]])
        for (const value of before)
          if (typeof value === 'string' && value.startsWith('typed') && everything.includes(`"${value}"`))
            throw new Error(`${value} of another person or package`)
      }
    }
  }

  function save(): void {
    if (flight) return
    page.read()
    const { fields } = page.state
    const mine = machine.typedOf(fields)
    for (const key of Object.keys(mine))
      if (page.controls.get(key)?.isOff) throw new Error(`${key} is sent, and is disabled`)
    const { entry, conflicts } = mergeEntries(machine.basesOf(fields, page.state.sending), mine, stored)
    if (conflicts.length > 0) {
      reach('conflict')
      const choices: Record<string, 'mine' | 'theirs'> = {}
      for (const { name } of conflicts) {
        choices[name] = random() < 0.5 ? 'mine' : 'theirs'
        if (choices[name] === 'theirs') expected.delete(name)
        see(name, stored[name])
      }
      return page.dispatch({ type: 'chosen', theirs: stored, choices })
    }
    for (const [key, value] of Object.entries(entry)) {
      if (JSON.stringify(value) === JSON.stringify(stored[key])) continue
      if (!typed.has(value)) throw new Error(`${key}: ${String(value)} was not typed`)
      if (!seen.has(`${key} ${String(stored[key])}`) && !typed.has(stored[key]) && Object.hasOwn(stored, key))
        throw new Error(`${key}: ${String(value)} overwrites ${String(stored[key])}`)
    }
    const sent = mine
    flight = { entry, sent }
    page.dispatch({ type: 'sending', values: sent })
  }

  function deliver(fate: 'ok' | 'request lost' | 'reply lost'): void {
    if (!flight) return
    const { entry, sent } = flight
    flight = undefined
    if (fate !== 'request lost') stored = entry
    // Otherwise, it is not known whether the service has it.
    if (fate !== 'ok') return
    reach('stored')
    page.dispatch({ type: 'stored', entry, sent })
  }

  function see(key: string, value: unknown): void {
    seen.add(`${key} ${String(value)}`)
  }

  function check(): void {
    const { fields } = page.state
    for (const [key, field] of fields) if (field.is === 'shown') see(key, field.base.value)
    const kept = machine.keptOf(fields)?.entry ?? {}
    if (Object.hasOwn(kept, 's')) throw new Error('A secret is kept')
    for (const [key, value] of expected) {
      const field = fields.get(key)
      const isKnown = field !== undefined && JSON.stringify(machine.valueOf(field)) === JSON.stringify(value)
      if (!isKnown && JSON.stringify(stored[key]) !== JSON.stringify(value) && !isReplaced(key))
        throw new Error(`${key}: ${String(value)} is lost`)
    }
    for (const [key, { value }] of page.controls) {
      const field = fields.get(key)
      if (!field || field.is === 'stored' || key === 'b') continue
      if (JSON.stringify(machine.valueOf(field)) !== JSON.stringify(value))
        throw new Error(`${key} shows ${String(value)} instead of ${String(machine.valueOf(field))}`)
    }
  }

  /** Whether somebody else has changed a value after it was saved. */
  function isReplaced(key: string): boolean {
    return fieldOf(key)?.is !== 'typed' && String(stored[key]).startsWith('by somebody')
  }

  /** Everything works again, so what is on the screen is saved. */
  function end(): void {
    trace.push('end')
    for (const key of ['a', 'b', 'c']) {
      if (!page.controls.has(key)) page.controls.set(key, { value: blank[key] })
      page.controls.get(key)!.isOff = false
    }
    deliver('ok')
    page.dispatch({ type: 'loaded', entry: stored })
    for (let round = 0; round < 9 && machine.isChanged(page.state); round++) {
      save()
      deliver('ok')
    }
    assert.ok(!machine.isChanged(page.state), 'comes to rest')
    for (const [key, value] of expected)
      if (JSON.stringify(stored[key] ?? blank[key]) !== JSON.stringify(value) && !isReplaced(key))
        throw new Error(`The service does not have ${key}: ${String(value)}, but ${String(stored[key])}`)
    for (const [key, { value }] of page.controls) {
      const now = key in stored ? stored[key] : blank[key]
      if (key !== 'b' && JSON.stringify(now ?? null) !== JSON.stringify(value ?? null))
        throw new Error(`${key} shows ${String(value)} instead of ${String(now)}`)
    }
  }
}

const often = <T extends string>(action: T, times: number) => Array<T>(times).fill(action)
const actions = [
  ...often('type', 6),
  ...often('save', 3),
  ...often('deliver', 4),
  ...often('control', 2),
  ...often('somebody else', 2),
  ...(['load', 'crash', 'other tab', 'discard', 'other person', 'script', 'put back'] as const),
]

/** A generator of the same numbers for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
