import type { Backend } from '../../../stories/backend.ts'

/** Has the service refuse each request that writes, with codes by natural key. */
export function refuseFields(backend: Backend, codes: Readonly<Record<string, readonly string[]>>): void {
  backend.intercept = ({ method }) =>
    method === 'GET'
      ? undefined
      : Promise.resolve(
          Response.json(
            Object.fromEntries(Object.entries(codes).map(([name, found]) => [`entry['${name}']`, found])),
            { status: 400 },
          ),
        )
}
