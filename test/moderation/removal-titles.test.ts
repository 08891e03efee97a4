import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  deleteExpiredModerationData,
  REMOVAL_TITLE_RETENTION_DAYS,
} from '../../src/moderation/delete-expired.ts'
import { Database } from '../../src/platform/database.ts'

const DAY_MS = 86_400_000

describe('the title of a removed document', () => {
  it('is forgotten after the time that the privacy page names, and the rest of the record stays', async () => {
    const now = Date.now()
    const insert = env.DB.prepare(
      `INSERT INTO removals (document_id, creator_id, title, removed_at, removed_by, reason)
        VALUES (?1, 'creator', 'My secret plan', ?2, 'operator', 'spam')`,
    )
    const oldest = now - REMOVAL_TITLE_RETENTION_DAYS * DAY_MS
    await env.DB.batch([insert.bind('old', oldest), insert.bind('new', oldest + 1)])
    await deleteExpiredModerationData(new Database(env.DB, 15_000), now)
    const { results } = await env.DB.prepare(
      'SELECT document_id, title, reason FROM removals ORDER BY removed_at',
    ).all()
    expect(results).toEqual([
      { document_id: 'old', title: null, reason: 'spam' },
      { document_id: 'new', title: 'My secret plan', reason: 'spam' },
    ])
  })
})
