import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { hashFiles } from '../files.mjs'

const file = 'node_modules/.cache/routeslip/passed.json'

/** Remembers which tests have passed, and with which contents of the files that they depend on. */
export class PassedTests {
  #hashes
  #passed = read()

  /** @param {ReadonlyMap<string, readonly string[]>} inputs The files that each test depends on. */
  constructor(inputs) {
    this.#hashes = new Map([...inputs].map(([test, files]) => [test, hashFiles(files)]))
  }

  /** Whether a test has passed with these contents. */
  has(test) {
    return this.#passed[test] === this.#hashes.get(test)
  }

  add(tests) {
    for (const test of tests) this.#passed[test] = this.#hashes.get(test)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(this.#passed))
  }
}

function read() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
