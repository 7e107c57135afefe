import { isRecord } from '../../contract/values/values.ts'
import type { Texts } from '../../locales/messages.ts'
import { storageKey } from './forget-routes.ts'
import type { RouteStop } from './route-stops.ts'

/** The route of a request as it was calculated before it was submitted. */
interface Prediction {
  /** When it was calculated, in ms since 1970. */
  readonly at: number
  /** The names of the people at each stop. */
  readonly stops: readonly (readonly [stop: string, names: readonly string[]])[]
}

/** Maximum number of predictions. The oldest are removed first. */
const maxPredictions = 20

/** Remembers the route of a request in this browser: the service does not keep it. Does nothing if the browser stores nothing. */
export function rememberRoute(request: string, stops: readonly RouteStop[], at: number): void {
  try {
    const prediction: Prediction = { at, stops: stops.map((stop) => [stop.name, namesAt(stop)]) }
    const others = Object.entries(readAll()).filter(([key]) => key !== request)
    const kept = [...others, [request, prediction] as const].slice(-maxPredictions)
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(kept)))
  } catch {}
}

/** Returns the remembered route of a request. */
export function predictionOf(request: string): Prediction | undefined {
  return readAll()[request]
}

/** Returns how a route differs from its prediction, as sentences. */
export function differencesFrom(
  { stops: before }: Prediction,
  stops: readonly RouteStop[],
  messages: Texts['route'] & Texts['savedRoute'],
  language: string | undefined,
): readonly string[] {
  const list = new Intl.ListFormat(language)
  const now = new Map(stops.map((stop) => [stop.name, namesAt(stop)]))
  const expected = new Map(before)
  return [
    ...[...now].flatMap(([stop, names]) => {
      const others = expected.get(stop)
      if (!others) return messages.added(stop)
      const isSame = names.length === others.length && names.every((name) => others.includes(name))
      const say = (all: readonly string[]) => list.format(all) || messages.nobody
      return isSame ? [] : messages.replaced(stop, say(others), say(names))
    }),
    ...[...expected.keys()].filter((stop) => !now.has(stop)).map((stop) => messages.dropped(stop)),
  ]
}

function namesAt({ people }: RouteStop): readonly string[] {
  return people.flatMap(({ name }) => name ?? [])
}

function readAll(): Readonly<Record<string, Prediction>> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return isRecord(found) ? (found as Record<string, Prediction>) : {}
  } catch {
    return {}
  }
}
