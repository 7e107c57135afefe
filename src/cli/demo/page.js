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
