import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const file = 'node_modules/.cache/routeslip/passed.json'

/**
 * A test file, or a part of a check.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} hash Of everything that it depends on.
 */

/** Remembers what has passed, and with which contents of the files that it depends on. */
export class Passed {
  #hashes = read()

  /**
   * Whether it has passed with these contents.
   *
   * @param {Part} part
   */
  has({ name, hash }) {
    return this.#hashes[name] === hash
  }

  /** @param {readonly Part[]} parts */
  add(parts) {
    for (const { name, hash } of parts) this.#hashes[name] = hash
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(this.#hashes))
  }
}

function read() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
