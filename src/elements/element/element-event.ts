/**
 * An event of an element, which leaves shadow roots and rises through the page. `CustomEvent`, because old libraries such as MooTools
 * replace `Event` by a class whose subclasses cannot be dispatched.
 */
export class ElementEvent extends CustomEvent<null> {
  declare static readonly type: string

  /** The event has the type of its class. */
  constructor(cancelable = false) {
    super(new.target.type, { bubbles: true, composed: true, cancelable })
  }
}
