import type { Hint } from '../../changes/bus.ts'
import {
  continueList,
  day,
  type FormFilter,
  type FoundCandidates,
  type Holder,
  type IndexedPackage,
  type ListQuestion,
  maxUnknown,
  type PackageIndex,
  proposeOfForm,
  proposeTo,
  type SentReminder,
  urgency,
} from '../../desk/package-index.ts'
import type { Database } from './database.ts'
import type { Outcome, Statement } from './database-messages.ts'

/** Times are in ms since 1970. A holder without a person is not known. `changed_at` is the one of the package. */
export const indexSchema = `
  CREATE TABLE packages (
    form_id INTEGER NOT NULL, package_id INTEGER NOT NULL, state TEXT, initiator TEXT, started TEXT, digest TEXT,
    learnt_at REAL NOT NULL, changed_at REAL NOT NULL, absent_since REAL, due_at REAL NOT NULL,
    requests INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (form_id, package_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX packages_by_initiator ON packages (initiator, form_id, changed_at, package_id);
  CREATE INDEX packages_by_check ON packages (due_at, form_id);
  CREATE INDEX packages_of_form_by_check ON packages (form_id, due_at);
  CREATE INDEX packages_of_form ON packages (form_id, changed_at, package_id);
  CREATE INDEX packages_of_form_by_state ON packages (form_id, state, changed_at, package_id);
  CREATE TABLE holders (
    form_id INTEGER NOT NULL, package_id INTEGER NOT NULL, person TEXT, changed_at REAL NOT NULL, received TEXT,
    stop INTEGER, stop_name TEXT, office TEXT
  ) STRICT;
  CREATE INDEX holders_by_person ON holders (person, form_id, changed_at, package_id);
  CREATE INDEX holders_of_packages ON holders (form_id, package_id);
  CREATE INDEX holders_by_stop ON holders (form_id, stop, changed_at, package_id, office);
  CREATE INDEX holders_by_office ON holders (form_id, office, changed_at, package_id);
  CREATE TABLE reminders (
    form_id INTEGER NOT NULL, package_id INTEGER NOT NULL, at REAL NOT NULL, person TEXT NOT NULL,
    holders TEXT NOT NULL, is_confirmed INTEGER NOT NULL, PRIMARY KEY (form_id, package_id, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reminders_by_person ON reminders (person, at);
  CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID`

/** Creates an index that keeps packages in a database. */
export function createSqliteIndex({ run }: Database): PackageIndex {
  async function read(...order: readonly Omit<Statement, 'isRead'>[]): Promise<Outcome['rows']> {
    const outcomes = await run(...order.map((statement) => ({ ...statement, isRead: true })))
    return outcomes.flatMap(({ rows }) => rows)
  }

  async function write(order: readonly Statement[]): Promise<void> {
    if (order.length > 0) await run(...order)
  }

  const insert = ({ formId, packageId }: Hint, at: number, otherwise: string): Statement => ({
    sql: `INSERT INTO packages (form_id, package_id, learnt_at, changed_at, due_at)
      VALUES (?1, ?2, ?3, ?3, ${urgency.isNew}) ON CONFLICT DO ${otherwise}`,
    values: [formId, packageId, at],
  })
  const requestCheck = `UPDATE SET due_at = min(due_at, ${urgency.hasChanged}), requests = requests + 1`

  const removeHolders = ({ formId, packageId }: Hint): Statement => ({
    sql: 'DELETE FROM holders WHERE form_id = ? AND package_id = ?',
    values: [formId, packageId],
  })

  /** Reads packages of forms. Each condition has an index in the order of the list, so that a part costs the same in a long list. */
  async function listForm(question: ListQuestion, filter: FormFilter = {}): Promise<FoundCandidates> {
    const { person, forms, after, limit } = question
    const { state = null, unchangedSince = Number.MAX_VALUE, stop = null, office = null } = filter
    const last = Number.MAX_SAFE_INTEGER
    const begin = { changedAt: unchangedSince, formId: last, packageId: last }
    const { changedAt, formId, packageId } = after && after.changedAt <= unchangedSince ? after : begin
    const hasHolder = stop !== null || office !== null
    const conditions = [
      'form_id = ?1 AND changed_at <= ?2 AND (changed_at, form_id, package_id) < (?2, ?3, ?4)',
      stop === null ? '' : 'stop = ?5',
      office === null ? '' : 'office = ?6',
      hasHolder
        ? state === null
          ? ''
          : 'EXISTS (SELECT 1 FROM packages AS p WHERE (p.form_id, p.package_id) = (holders.form_id, holders.package_id) AND state = ?7)'
        : state === null
          ? 'state IS NOT NULL'
          : 'state = ?7',
    ]
    const rows = await read(
      ...forms.map((form) => ({
        sql: `SELECT packages.*, (
            SELECT json_group_array(json_object(
              'person', person, 'received', received, 'stop', stop, 'stopName', stop_name, 'office', office))
            FROM holders WHERE (form_id, package_id) = (packages.form_id, packages.package_id)
          ) AS holders
          FROM (
            SELECT DISTINCT form_id, changed_at, package_id FROM ${hasHolder ? 'holders' : 'packages'}
            WHERE ${conditions.filter(Boolean).join(' AND ')}
            ORDER BY changed_at DESC, package_id DESC LIMIT ?8
          ) AS places JOIN packages USING (form_id, package_id)`,
        values: [form, changedAt, formId, packageId, stop, office, state, limit],
      })),
    )
    const found = rows.map((row) =>
      proposeOfForm(packageIn(row), JSON.parse(row['holders'] as string) as readonly Holder[], person),
    )
    return { candidates: continueList(found, question), isCut: false }
  }

  return {
    add: (packages, at) => write(packages.map((hint) => insert(hint, at, 'NOTHING'))),
    request: (packages, at) => write(packages.map((hint) => insert(hint, at, requestCheck))),
    async due(at, limit) {
      const rows = await read({
        sql: `SELECT * FROM packages WHERE due_at <= ?1
            AND form_id = (SELECT form_id FROM packages WHERE due_at <= ?1 ORDER BY due_at LIMIT 1)
          ORDER BY due_at LIMIT ?2`,
        values: [at, limit],
      })
      return rows.map(packageIn)
    },
    take(at, limit) {
      return this.due(at, limit)
    },
    record: (checks) =>
      write(
        checks.flatMap(({ pkg, holders }) => {
          const { formId, packageId, changedAt } = pkg
          const { state, initiator, started, digest, absentSince, requests, dueAt } = pkg
          const update = {
            sql: `UPDATE packages SET state = ?3, initiator = ?4, started = ?5, digest = ?6, changed_at = ?7,
                absent_since = ?8, due_at = CASE WHEN requests = ?9 THEN ?10 ELSE due_at END
              WHERE form_id = ?1 AND package_id = ?2`,
            values: [
              ...[formId, packageId, state, initiator, started, digest],
              ...[changedAt, absentSince, requests, dueAt],
            ],
          }
          if (!holders) return [update]
          const add = holders.map(({ person, received, stop, stopName, office }) => ({
            sql: `INSERT INTO holders SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
              WHERE EXISTS (SELECT 1 FROM packages WHERE form_id = ?1 AND package_id = ?2)`,
            values: [formId, packageId, person, changedAt, received, stop, stopName, office],
          }))
          return [update, removeHolders(pkg), ...add]
        }),
      ),
    remove: (packages) =>
      write(
        packages.flatMap(({ formId, packageId }) =>
          ['holders', 'reminders', 'packages'].map((table) => ({
            sql: `DELETE FROM ${table} WHERE form_id = ? AND package_id = ?`,
            values: [formId, packageId],
          })),
        ),
      ),
    forget: (person) =>
      write([
        { sql: 'UPDATE packages SET initiator = NULL WHERE initiator = ?', values: [person] },
        { sql: 'DELETE FROM holders WHERE person = ?', values: [person] },
        { sql: "UPDATE reminders SET person = '' WHERE person = ?", values: [person] },
      ]),
    async find({ formId, packageId }) {
      const where = 'WHERE form_id = ? AND package_id = ?'
      const values = [formId, packageId]
      const [packages, holders, reminders] = await run(
        { sql: `SELECT * FROM packages ${where}`, values, isRead: true },
        {
          sql: `SELECT person, received, stop, stop_name AS stopName, office FROM holders ${where}`,
          values,
          isRead: true,
        },
        { sql: `SELECT * FROM reminders ${where} ORDER BY at DESC`, values, isRead: true },
      )
      const [row] = packages?.rows ?? []
      return (
        row && {
          pkg: packageIn(row),
          holders: (holders?.rows ?? []) as unknown as readonly Holder[],
          reminders: (reminders?.rows ?? []).map(reminderIn),
        }
      )
    },
    async reminders(hints) {
      if (hints.length === 0) return []
      const sql = 'SELECT * FROM reminders WHERE form_id = ? AND package_id = ? ORDER BY at DESC'
      const found = await run(
        ...hints.map(({ formId, packageId }) => ({ sql, values: [formId, packageId], isRead: true })),
      )
      return found.map(({ rows }) => rows.map(reminderIn))
    },
    async reminderTimes(person, since) {
      const sql = 'SELECT at FROM reminders WHERE person = ? AND at > ? ORDER BY at'
      return (await read({ sql, values: [person, since] })).map((row) => row['at'] as number)
    },
    async claimReminder({ formId, packageId }, { at, person, holders }, { wait, perHolders, perDay }) {
      const [outcome] = await run({
        sql: `INSERT INTO reminders SELECT ?1, ?2, ?3, ?4, ?5, 0
          WHERE EXISTS (SELECT 1 FROM packages WHERE form_id = ?1 AND package_id = ?2)
            AND NOT EXISTS (SELECT 1 FROM reminders WHERE form_id = ?1 AND package_id = ?2 AND at > ?6)
            AND (SELECT count(*) FROM reminders WHERE form_id = ?1 AND package_id = ?2 AND holders = ?5) < ?7
            AND (SELECT count(*) FROM reminders WHERE person = ?4 AND at > ?8) < ?9`,
        values: [formId, packageId, at, person, holders, at - wait, perHolders, at - day, perDay],
      })
      return outcome?.changes === 1
    },
    settleReminder: ({ formId, packageId }, at, isSent) =>
      write([
        {
          sql: `${isSent ? 'UPDATE reminders SET is_confirmed = 1' : 'DELETE FROM reminders'}
            WHERE form_id = ? AND package_id = ? AND at = ?`,
          values: [formId, packageId, at],
        },
      ]),
    async list(question) {
      const { view, person, forms, filter, after, limit } = question
      if (view === 'form') return await listForm(question, filter)
      const { changedAt = Number.MAX_VALUE, formId = 0, packageId = 0 } = after ?? {}
      const place = [changedAt, formId, packageId]
      const isAfter = (table: string) =>
        `${table}.changed_at <= ?3 AND (${table}.changed_at, ${table}.form_id, ${table}.package_id) < (?3, ?4, ?5)`
      const mine = (form: number) => ({
        sql: `SELECT packages.*, NULL AS received, NULL AS person FROM packages
          WHERE initiator = ?1 AND form_id = ?2 AND ${isAfter('packages')}
          ORDER BY changed_at DESC, package_id DESC LIMIT ?6`,
        values: [person, form, ...place, limit],
      })
      const held = `FROM holders JOIN packages USING (form_id, package_id)`
      const own = (form: number) => ({
        sql: `SELECT packages.*, received, person ${held}
          WHERE person = ?1 AND holders.form_id = ?2 AND ${isAfter('holders')}
          ORDER BY holders.changed_at DESC, holders.package_id DESC LIMIT ?6`,
        // A person may hold a package twice.
        values: [person, form, ...place, 2 * limit],
      })
      const unknown = (form: number) => ({
        sql: `SELECT packages.*, received, person ${held}
          WHERE person IS NULL AND holders.form_id = ?1
          ORDER BY holders.changed_at DESC, holders.package_id DESC LIMIT ?2`,
        values: [form, maxUnknown + 1],
      })
      const order = forms.flatMap((form) => (view === 'mine' ? [mine(form)] : [own(form), unknown(form)]))
      if (order.length === 0) return { candidates: [], isCut: false }
      const found = await run(...order.map((statement) => ({ ...statement, isRead: true })))
      /** Every second result, those without a known holder. */
      const isUnknown = (at: number) => view === 'waiting' && at % 2 === 1
      const isCut = found.some(({ rows }, at) => isUnknown(at) && rows.length > maxUnknown)
      const rows = found.flatMap((one, at) => (isUnknown(at) ? one.rows.slice(0, maxUnknown) : one.rows))
      const candidates = rows.map((row) =>
        proposeTo(person, packageIn(row), row as unknown as Pick<Holder, 'person' | 'received'>),
      )
      return { candidates: continueList(candidates, question), isCut }
    },
    async count() {
      const [row] = await read({ sql: 'SELECT count(*) AS number FROM packages', values: [] })
      return Number(row?.['number'] ?? 0)
    },
    async readNote(name) {
      const [row] = await read({ sql: 'SELECT text FROM notes WHERE name = ?', values: [name] })
      return row?.['text'] as string | undefined
    },
    writeNote: (name, text) =>
      write([{ sql: 'INSERT OR REPLACE INTO notes VALUES (?, ?)', values: [name, text] }]),
    async replaceNote(name, before, text) {
      const [outcome] = await run(
        before === undefined
          ? { sql: 'INSERT OR IGNORE INTO notes VALUES (?, ?)', values: [name, text] }
          : { sql: 'UPDATE notes SET text = ? WHERE name = ? AND text = ?', values: [text, name, before] },
      )
      return outcome?.changes === 1
    },
    removeNote: (name) => write([{ sql: 'DELETE FROM notes WHERE name = ?', values: [name] }]),
  }
}

type Row = Outcome['rows'][number]

function packageIn(row: Row): IndexedPackage {
  return {
    formId: row['form_id'] as number,
    packageId: row['package_id'] as number,
    state: row['state'] as string | null,
    initiator: row['initiator'] as string | null,
    started: row['started'] as string | null,
    digest: row['digest'] as string | null,
    learntAt: row['learnt_at'] as number,
    changedAt: row['changed_at'] as number,
    absentSince: row['absent_since'] as number | null,
    dueAt: row['due_at'] as number,
    requests: row['requests'] as number,
  }
}

function reminderIn(row: Row): SentReminder {
  return {
    at: row['at'] as number,
    person: row['person'] as string,
    holders: row['holders'] as string,
    isConfirmed: row['is_confirmed'] === 1,
  }
}
