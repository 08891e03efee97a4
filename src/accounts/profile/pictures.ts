import type { Database } from '../../platform/database.ts'
import { fetchGitHub } from '../../platform/github-client.ts'
import { hashSecret } from '../hashing.ts'

/** The largest picture that is kept: one of 128 pixels takes a tenth of it. */
const MOST_PICTURE_BYTES = 64 * 1024

/** What browsers show, and nothing that could run. */
const MEDIA_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Where the site serves the picture of an account. */
const picturePath = (userId: string, version: string): string => `/icons/${userId}/${version}`

/**
 * Fetches the picture of a linked account and keeps it, so that no page of ours makes a browser tell
 * somebody else what it looks at. A picture that is too large, or none, is left out.
 */
export async function keepPicture(db: Database, userId: string, url: string): Promise<void> {
  const address = new URL(url)
  address.searchParams.set('s', '128')
  const { status, headers, bytes } = await fetchGitHub(address.href, { accept: 'image/*' })
  const mediaType = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (status !== 200 || !MEDIA_TYPES.has(mediaType) || bytes.byteLength > MOST_PICTURE_BYTES) return
  const version = (await hashSecret(`${mediaType}\n${bytes.toBase64()}`)).slice(0, 16)
  await db.idempotentBatch([
    [
      `INSERT INTO pictures (user_id, media_type, bytes, version)
        SELECT id, ?2, unhex(?3), ?4 FROM users WHERE id = ?1
        ON CONFLICT (user_id) DO UPDATE
          SET media_type = excluded.media_type, bytes = excluded.bytes, version = excluded.version`,
      userId,
      mediaType,
      bytes.toHex(),
      version,
    ],
    ['UPDATE users SET icon = ?2 WHERE id = ?1', userId, picturePath(userId, version)],
  ])
}

interface Picture {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The picture of an account, if this is its version. */
export async function findPicture(db: Database, userId: string, version: string): Promise<Picture | null> {
  const row = await db.first<{ media_type: string; hex: string }>([
    'SELECT media_type, hex(bytes) AS hex FROM pictures WHERE user_id = ?1 AND version = ?2',
    userId,
    version,
  ])
  return row && { mediaType: row.media_type, bytes: Uint8Array.fromHex(row.hex) }
}

/** Lets an account have the picture that the site draws. */
export async function dropPicture(db: Database, userId: string): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM pictures WHERE user_id = ?1', userId],
    ['UPDATE users SET icon = NULL WHERE id = ?1', userId],
  ])
}
