import type { Environment } from '../../contract/values/values.ts'
import { day } from '../clock.ts'
import { seedKey } from '../state/seed-content.ts'
import type { StoredFile, StoredShare } from '../state/stored-files.ts'

/** Returns an expired file, a deleted file, and a file whose content the object store has lost. */
export function campusFiles(env: Environment): StoredFile[] {
  const number = env === 'test' ? 1 : 2
  const rows = [
    {
      filename: 'Протокол 2026-09.pdf',
      contentType: 'application/pdf',
      uploadedAt: Date.UTC(2026, 8, 3),
      days: 7,
    },
    { filename: 'deleted.txt', contentType: 'text/plain', uploadedAt: Date.UTC(2026, 8, 4), isDeleted: true },
    { filename: 'lost.png', contentType: 'image/png', uploadedAt: Date.UTC(2026, 9, 5) },
  ]
  return rows.map(({ filename, contentType, uploadedAt, days, isDeleted = false }, index) => {
    // The test deployment deletes files after 30 days.
    const lifetime = days ?? (env === 'test' ? 30 : undefined)
    const expiresAt = lifetime === undefined ? null : uploadedAt + lifetime * day
    return {
      asset: {
        uuid: `5eed0000-0000-4000-8000-00000000${number}00${index + 1}`,
        filename,
        fileSize: 10_240 * (index + 1),
        contentType,
        uploadDate: fileTimestamp(uploadedAt),
        expirationDate: expiresAt === null ? null : fileTimestamp(expiresAt),
        metadata: { scenario: 'campus', kind: contentType },
      },
      owner: 'demo-app',
      object: seedKey(100 * number + index),
      uploadedAt,
      expiresAt,
      isDeleted,
    }
  })
}

/** Returns an ALL_FILES share and a SINGLE_FILE share. */
export function campusShares(env: Environment): StoredShare[] {
  const [, , lost] = campusFiles(env)
  return [
    {
      ownerClientId: 'demo-app',
      granteeClientId: 'partner-app',
      fileAssetUuid: null,
      type: 'ALL_FILES',
      createdAt: '2026-09-02T08:00:00',
    },
    {
      ownerClientId: 'demo-app',
      granteeClientId: 'storage-admin',
      fileAssetUuid: lost?.asset.uuid ?? null,
      type: 'SINGLE_FILE',
      createdAt: '2026-10-05T08:00:00',
    },
  ]
}

/** Formats an instant as file records do. */
function fileTimestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 23)}000`
}
