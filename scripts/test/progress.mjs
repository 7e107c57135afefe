/** Prints how a run goes on, and its results. */
export function createProgress(count, print = console.log) {
  const start = Date.now()
  const total = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  /** When each job started. Two jobs may have the same name. */
  const running = new Map()
  let ended = 0
  const heartbeat = setInterval(() => {
    const names = [...running].map(([{ name }, since]) => `${name} (${clock(since)})`)
    if (names.length > 0) print(`${position()}   running: ${names.join(', ')}`)
  }, 30_000)

  function position() {
    return `${`${ended}`.padStart(`${count}`.length)}/${count} ${clock(start).padStart(6)}`
  }

  return {
    total,
    onStart(job) {
      running.set(job, Date.now())
    },
    onNote(_job, text) {
      heartbeat.refresh()
      print(`${position()}   ${text}`)
    },
    onEnd(job, result) {
      const { name } = job
      heartbeat.refresh()
      ended++
      const seconds = clock(running.get(job))
      running.delete(job)
      for (const key of Object.keys(total)) total[key] += result[key]
      const counts = describeCounts(result)
      print(`${position()} ${result.failed > 0 ? '✖' : '✔'} ${name}  ${counts}  ${seconds}`)
      const own = result.failures.map((failure) => ({ ...failure, job: name }))
      own.forEach(printFailure)
      failures.push(...own)
    },
    /** Prints all failures once more, then the counts alone on the last line. Returns the exit code. */
    finish() {
      clearInterval(heartbeat)
      if (failures.length > 0) print('\nFailures:')
      failures.forEach(printFailure)
      const skipped = total.skipped > 0 ? ` ${total.skipped} tests were skipped.` : ''
      print(`\nThe run took ${clock(start)}.${skipped}\n${total.passed} passed, ${total.failed} failed`)
      return total.failed > 0 || total.passed === 0 ? 1 : 0
    },
  }

  function printFailure({ job, name, text }) {
    print(`\n✖ ${[job, name].filter(Boolean).join(': ')}\n${indent(text.trimEnd())}\n`)
  }
}

function indent(text) {
  return text.replace(/^(?=.)/gm, '    ')
}

/** Returns such as "34 passed, 1 failed". */
export function describeCounts(counts) {
  return ['passed', 'failed', 'skipped']
    .filter((key) => counts[key] > 0)
    .map((key) => `${counts[key]} ${key}`)
    .join(', ')
}

/** Returns the time since then, such as `3:07`. */
function clock(since) {
  const seconds = Math.round((Date.now() - since) / 1000)
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`
}
