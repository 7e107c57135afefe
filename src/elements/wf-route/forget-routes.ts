/** Key of the routes in the browser's local storage that were shown before a request was submitted. */
export const storageKey = 'routeslip-routes'

/** Forgets all routes: they name people, and the next person at this computer may be somebody else. */
export function forgetRoutes(): void {
  try {
    localStorage.removeItem(storageKey)
  } catch {}
}
