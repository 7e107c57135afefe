import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { moments } from '../../tools/ears/moments.ts'
import { failureComesLate, isSilent, saidTwice, unnamed } from '../../tools/ears/rules.ts'
import { expectedTranscript } from '../../tools/ears/transcripts.ts'

const engines = ['chromium', 'firefox', 'orca']
const files = readdirSync(new URL('../../tools/ears/transcripts/', import.meta.url)).filter((file) =>
  file.endsWith('.txt'),
)

const trees = readdirSync(new URL('trees/', import.meta.url)).filter((file) => file.endsWith('.txt'))

/** What Orca says twice, because two fields of the same kind take the same. */
const repeatedByOrca: Readonly<Record<string, readonly string[]>> = {
  'override-asked': ['editable combo box.', 'Name or university ID.'],
}

/** Words of Orca's own about what it does, and about a control after its name. */
const wordsOfOrca = /^said: (?:Focus mode|Browse mode|opens \w+)\n/gm

/** A transcript without the content of the page: there, a tree repeats the names of fields as their labels. */
const heardPart = (text: string) => text.replace(/\nRead: [^]*/, '\n')

const heard = (...lines: readonly string[]) => ['A title.', '', 'Heard:', ...lines, ''].join('\n')

describe('The transcripts of what assistive technology receives', () => {
  it('belong to at least 20 moments, each with one', () => {
    assert.ok(moments.length >= 20)
    const names = new Set(files.map((file) => file.replace(/\..*$/, '')))
    assert.deepEqual([...names].sort(), moments.map(({ name }) => name).sort())
  })

  for (const { name, failure, act } of moments) {
    for (const engine of engines) {
      it(`say nothing twice, are never silent and name failures first: ${name}, ${engine}`, () => {
        const text = expectedTranscript(name, engine)
        const isOrca = engine === 'orca'
        const repeated = (isOrca && repeatedByOrca[name]) || []
        assert.deepEqual(saidTwice(text.replace(wordsOfOrca, '')), repeated, 'said twice')
        assert.equal(text.includes('Heard:'), act !== undefined)
        assert.equal(isSilent(text), false, 'silent')
        // Orca says the name of a control first, and what it is in a sentence of its own.
        if (!isOrca) assert.deepEqual(unnamed(text), [], 'without a name')
        if (failure) assert.deepEqual(failureComesLate(text, failure), [], 'the failure comes late')
      })
    }
  }

  for (const file of trees) {
    it(`obey the same rules as trees: ${file}`, () => {
      const text = readFileSync(new URL(`trees/${file}`, import.meta.url), 'utf8')
      assert.deepEqual(saidTwice(heardPart(text)), [], 'said twice')
      assert.equal(isSilent(text), false, 'silent')
      assert.deepEqual(unnamed(text), [], 'without a name')
      const { failure } = moments.find(({ name }) => `${name}.txt` === file) ?? {}
      if (failure) assert.deepEqual(failureComesLate(text, failure), [], 'the failure comes late')
    })
  }

  it('fail if they say something twice (control)', () => {
    assert.deepEqual(saidTwice(heard('status: Void.', 'status: Now: Void. Void.')), ['Void.'])
    assert.deepEqual(saidTwice(heard('focus: button "Keep"', 'focus: button "Keep"')), ['button "Keep"'])
    const read = ['A title.', '', 'Read: main', 'radio "Wrong form"', 'Wrong form', ''].join('\n')
    assert.deepEqual(saidTwice(read), ['Wrong form'])
  })

  it('fail if nothing follows an action (control)', () => {
    assert.equal(isSilent(heard()), true)
    assert.equal(isSilent(heard('status: Done.')), false)
  })

  it('fail if a failure comes late or is missing (control)', () => {
    const late = heard('status: 11 uploaded, 1 failed: a.txt')
    assert.deepEqual(failureComesLate(late, /failed/), ['11 uploaded, 1 '])
    assert.deepEqual(failureComesLate(heard('status: 11 uploaded'), /failed/), ['the failure is not heard'])
    assert.deepEqual(failureComesLate(heard('status: 1 failed, 11 uploaded'), /failed/), [])
  })

  it('fail if a control has no name (control)', () => {
    assert.deepEqual(unnamed(heard('focus: dialog > button "Keep"', 'focus: button, expanded')), [
      'focus: dialog > button "Keep"',
      'focus: button, expanded',
    ])
  })
})
