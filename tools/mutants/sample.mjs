// Draws a random sample of the mutants of an area, so that the share that the tests notice can be estimated in minutes.
import { readdir, readFile } from 'node:fs/promises'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** Sources of an area, as paths from the root: all but types and styles, which change no decision. */
export async function mutatedFiles(area) {
  const names = await readdir(`src/${area}`, { recursive: true })
  return names
    .filter((name) => name.endsWith('.ts') && !/\.(d|styles)\.ts$/.test(name))
    .map((name) => `src/${area}/${name}`.replaceAll('\\', '/'))
    .sort()
}

/**
 * Draws `size` of all mutants of an area, each with the same probability. The same seed and the same sources give the same
 * sample. Returns the number of all mutants, the keys of the sample, and patterns for StrykerJS's option `mutate` that
 * contain the sample and little more.
 */
export async function drawSample(area, size, seed) {
  const mutants = await allMutants(area)
  const random = randomNumbers(seed)
  const drawn = []
  for (let index = 0; index < Math.min(size, mutants.length); index++) {
    const other = index + Math.floor(random() * (mutants.length - index))
    ;[mutants[index], mutants[other]] = [mutants[other], mutants[index]]
    drawn.push(mutants[index])
  }
  const patterns = drawn.map(({ fileName, location: { start, end } }) => {
    return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`
  })
  return { total: mutants.length, keys: drawn.map(keyOf), patterns: [...new Set(patterns)] }
}

/** Names a mutant by its place and what it puts there. Its id differs with what else is mutated. */
export function keyOf({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = fileName.replaceAll('\\', '/').match(/src\/(?!.*\/src\/).*/)[0]
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column} ${mutatorName} ${replacement}`
}

async function allMutants(area) {
  const files = await mutatedFiles(area)
  const sources = files.map(async (name) => ({ name, mutate: true, content: await readFile(name, 'utf8') }))
  const logger = { debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false }
  const options = { ignorers: [], excludedMutations: [], plugins: null }
  const { mutants } = await new Instrumenter(logger).instrument(await Promise.all(sources), options)
  return mutants.filter(({ status }) => status === undefined)
}

/** Returns numbers between 0 and 1 that depend on the seed only (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** 95 % confidence interval (Wilson) of a share, of which `count` of `size` were seen. */
export function interval(count, size) {
  const z = 1.96
  const share = count / size
  const middle = share + z ** 2 / (2 * size)
  const spread = z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))
  const scale = 1 + z ** 2 / size
  return { low: (middle - spread) / scale, high: (middle + spread) / scale }
}
