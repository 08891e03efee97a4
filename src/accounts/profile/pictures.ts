import type { Database } from '../../platform/database.ts'
import { fetchGitHub } from '../../platform/github-client.ts'
import { hashSecret } from '../hashing.ts'

/** A 128-pixel picture takes about a tenth of this. */
const MAX_PICTURE_BYTES = 64 * 1024

/** Formats that browsers display and that can't contain scripts (unlike SVG). */
const MEDIA_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Returns where the site serves the picture of an account. */
const getPicturePath = (userId: string, version: string): string => `/icons/${userId}/${version}`

/**
 * Downloads and stores the picture of a linked account, so that viewing our pages tells no other site about it.
 * Ignores a picture that is missing or too large.
 */
export async function savePicture(db: Database, userId: string, url: string): Promise<void> {
  const address = new URL(url)
  address.searchParams.set('s', '128')
  const { status, headers, bytes } = await fetchGitHub(address.href, { accept: 'image/*' })
  const mediaType = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (status !== 200 || !MEDIA_TYPES.has(mediaType) || bytes.byteLength > MAX_PICTURE_BYTES) return
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
    ['UPDATE users SET icon = ?2 WHERE id = ?1', userId, getPicturePath(userId, version)],
  ])
}

interface Picture {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Returns this version of an account's picture. */
export async function findPicture(db: Database, userId: string, version: string): Promise<Picture | null> {
  const row = await db.first<{ media_type: string; hex: string }>([
    'SELECT media_type, hex(bytes) AS hex FROM pictures WHERE user_id = ?1 AND version = ?2',
    userId,
    version,
  ])
  return row && { mediaType: row.media_type, bytes: Uint8Array.fromHex(row.hex) }
}

/** Deletes an account's picture, so that the site shows a generated one. */
export async function deletePicture(db: Database, userId: string): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM pictures WHERE user_id = ?1', userId],
    ['UPDATE users SET icon = NULL WHERE id = ?1', userId],
  ])
}
