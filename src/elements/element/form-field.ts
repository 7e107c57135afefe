import { property, state } from 'lit/decorators.js'
import type { RouteslipElement } from './routeslip-element.ts'

/** Why a form cannot be sent. */
export interface FieldProblem {
  readonly kind: 'valueMissing' | 'customError'
  /** The text that browsers show. */
  readonly message: string
  /** The control that browsers show it at. Default: the element. */
  readonly anchor?: HTMLElement | null | undefined
}

/** The members of a form field. Elements set their value with `internals.setFormValue()`. */
export declare abstract class FormFieldMembers {
  static readonly formAssociated: true
  /** Whether the element accepts no change. A disabled fieldset around it does the same. */
  disabled: boolean
  /** The form that the element belongs to. */
  get form(): HTMLFormElement | null
  get validity(): ValidityState
  get validationMessage(): string
  checkValidity(): boolean
  reportValidity(): boolean
  formDisabledCallback(isDisabled: boolean): void
  formResetCallback(): void
  formStateRestoreCallback(state: unknown): void
  /** Whether the element or a fieldset around it is disabled. */
  protected get isDisabled(): boolean
  /** Reports to the form why it cannot be sent; `undefined` if it can. */
  protected setProblem(problem: FieldProblem | undefined): void
  /** Returns the element to its initial value. */
  protected reset?(): void
  /** Restores the state that the element passed to `internals.setFormValue()`. */
  protected restore?(state: string): void
}

// TypeScript requires `any[]` of the constructor of a mixin's base.
// oxlint-disable-next-line typescript/no-explicit-any
type Constructor<T> = abstract new (...args: any[]) => T

/** Names no other statics, because those of `PackageElement<T>` include protected ones, which a declaration cannot contain. */
type FormFieldConstructor<Instance> = Constructor<Instance & FormFieldMembers> &
  Pick<typeof RouteslipElement, 'styles'> & { readonly formAssociated: true }

/** Makes an element a field of its form: association, validity, disabled state, reset and restore. */
export function FormField<Base extends Constructor<RouteslipElement>>(
  base: Base,
): FormFieldConstructor<InstanceType<Base>> {
  abstract class FormFieldElement extends base {
    static readonly formAssociated = true

    /** Whether the element accepts no change. A disabled fieldset around it does the same. */
    @property({ type: Boolean, reflect: true }) disabled = false

    @state() private _isDisabled = false

    /** The form that the element belongs to. */
    get form(): HTMLFormElement | null {
      return this.internals.form ?? null
    }

    /** As of any form field. */
    get validity(): ValidityState {
      return this.internals.validity as ValidityState
    }

    /** As of any form field. */
    get validationMessage(): string {
      return this.internals.validationMessage ?? ''
    }

    /** As of any form field. */
    checkValidity(): boolean {
      return this.internals.checkValidity?.() ?? true
    }

    /** As of any form field. */
    reportValidity(): boolean {
      return this.internals.reportValidity?.() ?? true
    }

    /** The browser calls this when the element or a fieldset around it is disabled or enabled. */
    formDisabledCallback(isDisabled: boolean): void {
      const isUpdating = this.isUpdatePending
      this._isDisabled = isDisabled
      // An update that reflects `disabled` has rendered already, and drops this change.
      if (isUpdating) queueMicrotask(() => this.requestUpdate())
    }

    /** The browser calls this when the form is reset. */
    formResetCallback(): void {
      this.reset?.()
    }

    /** The browser calls this when it restores the form, for example after a step back. */
    formStateRestoreCallback(state: unknown): void {
      if (typeof state === 'string') this.restore?.(state)
    }

    protected get isDisabled(): boolean {
      return this._isDisabled
    }

    protected setProblem(problem: FieldProblem | undefined): void {
      if (problem)
        this.internals.setValidity?.({ [problem.kind]: true }, problem.message, problem.anchor ?? undefined)
      else this.internals.setValidity?.({})
    }

    protected reset?(): void

    protected restore?(state: string): void
  }
  return FormFieldElement as unknown as FormFieldConstructor<InstanceType<Base>>
}
