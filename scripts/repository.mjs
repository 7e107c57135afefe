import { spawnSync } from 'node:child_process'

/** Returns the address of the public repository for browsers, such as `https://git.example.edu/forms/routeslip`. */
export function repositoryAddress() {
  const { status, stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) return undefined
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/(?:[\w-]+@)?|[\w-]+@)([\w.-]+\.[a-z]{2,})(?::\d+(?=\/))?[:/]([\w./~-]+?)(?:\.git)?\/?$/.exec(
      stdout.trim(),
    ) ?? []
  return host && `https://${host}/${path}`
}
