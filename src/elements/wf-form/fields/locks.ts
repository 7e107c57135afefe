import type { FormControl } from './form-controls.ts'

/** The controls that a form has locked, so that it unlocks no others. People can still reach and copy the text of most of them. */
export class Locks {
  readonly #locked = new Set<FormControl>()

  /** Locks these controls, and unlocks all others. */
  set(controls: readonly FormControl[]): void {
    for (const control of this.#locked) {
      if (controls.includes(control)) continue
      control[lockedBy(control)] = false
      this.#locked.delete(control)
    }
    for (const control of controls) {
      if (control[lockedBy(control)]) continue
      control[lockedBy(control)] = true
      this.#locked.add(control)
    }
  }
}

/** Returns the property that locks a control: `readOnly` if it has it. */
function lockedBy(control: FormControl): 'readOnly' | 'disabled' {
  const canBeReadOnly =
    control instanceof HTMLInputElement
      ? !/^(checkbox|radio|range|color|file|hidden|submit|image)$/.test(control.type)
      : 'readOnly' in control
  return canBeReadOnly ? 'readOnly' : 'disabled'
}
