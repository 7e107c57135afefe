import {
  largeLifetime,
  largeReply,
  type Outcome,
  outcomeLifetime,
  type OutcomeStore,
  type OutcomeLimits,
  outcomeLimits,
  sizeOf,
} from '../../idempotency/outcome-store.ts'
import type { Database } from './database.ts'

/** Times are in ms since 1970, sizes in characters. */
export const outcomesSchema = `
  CREATE TABLE outcomes (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, started_at REAL NOT NULL, expires_at REAL NOT NULL, state TEXT NOT NULL,
    size INTEGER NOT NULL, outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX outcomes_of_owners ON outcomes (owner, started_at);
  CREATE INDEX outcomes_by_expiry ON outcomes (expires_at)`

/**
 * Creates a store that keeps outcomes on disk. Requests that ran when an earlier process ended have an unknown outcome. The
 * limits are those of `createOutcomeStore()`.
 */
export async function createSqliteOutcomes(
  { run }: Database,
  { now, max, maxPerOwner, maxSizePerOwner }: OutcomeLimits & { readonly now: () => number } = {
    ...outcomeLimits,
    now: Date.now,
  },
): Promise<OutcomeStore> {
  await run({
    sql: `UPDATE outcomes SET state = 'unknown', outcome = json_set(outcome, '$.state', 'unknown') WHERE state = 'running'`,
    values: [],
  })

  return {
    async start(id, owner, head) {
      const outcome: Outcome = { head, state: 'running' }
      const time = now()
      /** Drops the oldest reply where there are too many, and this request is not known. */
      const drop = (where: string, limit: number) => ({
        sql: `DELETE FROM outcomes WHERE id = (
            SELECT id FROM outcomes WHERE state = 'done' AND ${where} ORDER BY started_at LIMIT 1
          ) AND (SELECT count(*) FROM outcomes WHERE ${where}) >= ?2
            AND NOT EXISTS (SELECT 1 FROM outcomes WHERE id = ?3)`,
        values: [owner, limit, id],
      })
      const [, , , added, found] = await run(
        { sql: 'DELETE FROM outcomes WHERE expires_at <= ?', values: [time] },
        drop('owner = ?1', maxPerOwner),
        drop('?1 = ?1', max),
        {
          sql: `INSERT INTO outcomes SELECT ?1, ?2, ?3, ?4, 'running', 0, ?5
            WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE id = ?1)
              AND (SELECT count(*) FROM outcomes WHERE owner = ?2) < ?6 AND (SELECT count(*) FROM outcomes) < ?7`,
          values: [id, owner, time, time + outcomeLifetime, JSON.stringify(outcome), maxPerOwner, max],
        },
        { sql: 'SELECT outcome FROM outcomes WHERE id = ?', values: [id], isRead: true },
      )
      if (added?.changes === 1) return undefined
      const [row] = found?.rows ?? []
      if (!row) throw new Error('Too many requests have no known outcome')
      return JSON.parse(row['outcome'] as string) as Outcome
    },
    async read(id) {
      const sql = 'SELECT outcome FROM outcomes WHERE id = ? AND expires_at > ?'
      const [found] = await run({ sql, values: [id, now()], isRead: true })
      const [row] = found?.rows ?? []
      return row && (JSON.parse(row['outcome'] as string) as Outcome)
    },
    async finish(id, outcome) {
      const size = sizeOf(outcome)
      const latest = size > largeReply ? now() + largeLifetime : Infinity
      await run(
        {
          sql: `UPDATE outcomes SET state = ?, size = ?, outcome = ?, expires_at = min(expires_at, ?) WHERE id = ?`,
          values: [outcome.state, size, JSON.stringify(outcome), latest, id],
        },
        // The oldest replies of this person go if all are too long together.
        {
          sql: `DELETE FROM outcomes WHERE state = 'done' AND id IN (SELECT id FROM (
              SELECT id, sum(size) OVER (ORDER BY started_at DESC, rowid DESC) AS total FROM outcomes
              WHERE owner = (SELECT owner FROM outcomes WHERE id = ?)
            ) WHERE total > ?)`,
          values: [id, maxSizePerOwner],
        },
      )
    },
    async forget(id) {
      await run({ sql: 'DELETE FROM outcomes WHERE id = ?', values: [id] })
    },
  }
}
