import { readdirSync, readFileSync } from 'node:fs'
import type { FieldKind } from '../../src/contract/values/values.ts'

// The pages of this folder and what has to happen on them. README.md describes the format.

/** Something that a person does, or a check: its name and what it needs. */
export type Step = readonly [name: string, ...values: readonly unknown[]]

export interface Run {
  readonly name: string
  /** The entry that the service already has. */
  readonly service?: Readonly<Record<string, unknown>>
  readonly steps: readonly Step[]
}

export interface ExpectedPage {
  /** Kind by key, with `!` if the field is required. */
  readonly fields: Readonly<Record<string, FieldKind | `${FieldKind}!`>>
  readonly subTypes?: readonly string[]
  /** Default: Chromium only. */
  readonly engines?: readonly string[]
  readonly runs: readonly Run[]
}

const folder = new URL('./', import.meta.url)

/** By file name. */
export const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Readonly<
  Record<string, ExpectedPage>
>

/** Names of runs that fail now, by engine. */
export const knownFailures = JSON.parse(
  readFileSync(new URL('known-failures.json', folder), 'utf8'),
) as Readonly<Record<string, readonly string[]>>

/** File names of the pages, sorted. */
export const pageFiles: readonly string[] = readdirSync(new URL('pages/', folder)).sort()

export function readPage(file: string): string {
  return readFileSync(new URL(`pages/${file}`, folder), 'utf8')
}

/** A script for the page; see its first line. */
export const inPageScript = readFileSync(new URL('in-page.js', folder), 'utf8')

/** Another one, for engines that Playwright does not drive. */
export const inEngineScript = readFileSync(new URL('in-engine.js', folder), 'utf8')
