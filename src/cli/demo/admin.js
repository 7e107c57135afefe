// The directory of the demo: the people who can sign in. That of an institution would be searched by its server.
const people = [...document.querySelectorAll('#persona option')].map(({ value, textContent }) => {
  const [, name, detail] = /^\s*(.+) \((.+)\)\s*$/.exec(textContent)
  return { univid: value, name, detail }
})
for (const element of document.querySelectorAll('wf-overrides, wf-package-status')) {
  element.findPeople = async (text) =>
    people.filter(({ univid, name }) => univid === text || name.toLowerCase().includes(text.toLowerCase()))
}

// Lists the requests whose route is paused, again whenever the card has loaded.
const list = document.querySelector('#paused')
const note = document.querySelector('#no-paused')
let controller = new AbortController()
/** The locks that are shown, as JSON. Links that did not change stay, so that they keep the focus. */
let shown = ''

async function showPaused() {
  controller.abort()
  controller = new AbortController()
  const { signal } = controller
  try {
    const response = await fetch('/api/wf/forms/6025/locks', { headers: { 'X-Routeslip': '1' }, signal })
    if (!response.ok) throw new Error(`The proxy returned status ${response.status}`)
    const { locks } = await response.json()
    const text = JSON.stringify(locks)
    if (text === shown) return
    shown = text
    list.replaceChildren(...locks.filter((lock) => lock !== null).map(itemOf))
    note.textContent = 'No request is paused.'
  } catch {
    if (signal.aborted) return
    shown = ''
    list.replaceChildren()
    note.textContent = 'The paused requests couldn’t be loaded. Reload the page to try again.'
  }
  list.hidden = list.children.length === 0
  note.hidden = !list.hidden
}

function itemOf({ packageId, stop }) {
  const link = document.createElement('a')
  link.href = `/admin?package=${packageId}`
  link.textContent = `Travel request ${packageId}`
  const item = document.createElement('li')
  item.append(link, stop?.name ? `, paused at ${stop.name}` : ', paused')
  return item
}

document.addEventListener('wf-load', ({ target }) => {
  if (target.localName === 'wf-package-status') void showPaused()
})
void showPaused()
