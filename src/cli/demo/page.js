// The notice of a submission is shown once: a reload and a bookmark lead to the plain page.
if (location.search) history.replaceState(history.state, '', location.pathname)

// Remembers the working files of a person, so that the page lists them on the next visit.
document.addEventListener('fs-change', ({ target }) => {
  const form = target.closest('form[action="/working-files"]')
  if (form)
    void fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      keepalive: true,
    })
})
