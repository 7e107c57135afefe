import { spawn } from 'node:child_process'

const running = new Set()
const windows = process.platform === 'win32'

/**
 * Runs Node with arguments, and with the variables of `env` beside its own. Calls `onMessage` for each message that the process sends. Resolves with its exit code and
 * everything that it printed. Ends a process that neither prints nor sends anything for `timeLimit` seconds; `isHanging`
 * is then true.
 */
export function runNode(args, { onMessage, env, timeLimit = 120 } = {}) {
  return new Promise((resolve) => {
    if (isEnding) return
    // A group of its own, so that ending it also ends the programs that it has started.
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...(onMessage ? ['ipc'] : [])],
      detached: !windows,
      env: { ...process.env, ...env },
    })
    running.add(child)
    let output = ''
    let isHanging = false
    const timer = setTimeout(() => {
      isHanging = true
      end(child)
    }, timeLimit * 1000)
    const collect = (chunk) => {
      timer.refresh()
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('message', (message) => {
      timer.refresh()
      onMessage(message)
    })
    child.on('exit', () => clearTimeout(timer))
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, output, isHanging, timeLimit })
    })
  })
}

/** Asks a process to end its browsers and itself: they are not in its group. Kills it if it does not. */
function end(child) {
  send(child, 'SIGTERM')
  setTimeout(() => send(child, 'SIGKILL'), grace).unref()
}

/** Time that a process has to end its browsers, in ms. */
const grace = 5000

function send(child, signal) {
  try {
    if (windows) child.kill()
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended in the meantime.
  }
}

let isEnding = false

/** Ends all processes that still run, and then this one. */
function endAll() {
  if (isEnding) process.exit(1)
  isEnding = true
  for (const child of running) end(child)
  const start = Date.now()
  setInterval(() => {
    if (running.size === 0 || Date.now() - start > grace) process.exit(1)
  }, 50)
}

process.on('exit', () => {
  for (const child of running) send(child, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endAll)
