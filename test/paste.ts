/** Returns the event of a paste. Firefox ignores the data that it is given when it is created. */
export function pasteEvent(clipboardData: DataTransfer): ClipboardEvent {
  const event = new ClipboardEvent('paste', { bubbles: true, composed: true, cancelable: true })
  return Object.defineProperty(event, 'clipboardData', { value: clipboardData })
}
