// A script that registers one element. It knows the types of this element and of its events, also on the document, and not those
// of other elements.
import 'routeslip/define/wf-history'

const history = document.createElement('wf-history')
history.packageId = 42
history.addEventListener('wf-load', ({ value }) => console.log(value))
document.addEventListener('wf-load', (event) => console.log(event.composed, event.value))
document.addEventListener('wf-error', ({ error }) => console.log(error.message))
document.querySelector('wf-history')?.addEventListener('wf-signed-out', (event) => console.log(event.type))
// @ts-expect-error an event has no such property
document.addEventListener('wf-error', (event) => event.problem)
// @ts-expect-error another element
document.createElement('wf-office').endpoint = '/api/wf'
