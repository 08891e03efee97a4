import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { create, createAnonymous, edit, read, remove } from '../support/client.ts'

// While a deployment rolls out, the previous release runs its statements against the new schema.
describe('statements of the previous release', () => {
  /** Changes the first line of a document as an edit by the previous release does. */
  const editAsBefore = (id: string, title: string) =>
    env.DB.prepare(
      `UPDATE documents SET title = ?2, title_key = ?2, language = 'json', saved_by = NULL, version = 'after',
        updated_at = 1 WHERE id = ?1`,
    )
      .bind(id, title)
      .run()

  it('insert documents that nobody has a token for, without a given title', async () => {
    const { id } = await account()
    const insert = env.DB.prepare(
      `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, title, title_key,
          language, image_embed, instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        VALUES (?1, ?2, 'content/' || ?1, 1, 0, 'line', 'line', 'plaintext', 0, 0, 0, 0, 'v', 0, 0, ?3)`,
    )
    const expiresAt = Date.now() + 60_000
    await env.DB.batch([insert.bind('anonymous', null, expiresAt), insert.bind('owned', id, expiresAt)])
    const { results } = await env.DB.prepare(
      "SELECT token_hash, given_title, language_chosen FROM documents WHERE id IN ('anonymous', 'owned')",
    ).all()
    const unset = { token_hash: null, given_title: null, language_chosen: 0 }
    expect(results).toEqual([unset, unset])
  })

  it('keep no revision of content that they replace, which is then pending deletion', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    const before = await env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1').bind(id).first()
    await env.DB.prepare(
      "UPDATE documents SET content_key = 'content/by-the-previous-release', version = 'after', updated_at = 1 WHERE id = ?1",
    )
      .bind(id)
      .run()
    const found = (sql: string) => env.DB.prepare(sql).bind(before?.content_key).first('n')
    expect(await found('SELECT count(*) AS n FROM revisions WHERE content_key = ?1')).toBe(0)
    expect(await found('SELECT count(*) AS n FROM detached_contents WHERE content_key = ?1')).toBe(1)
  })

  it('leave tokens and given titles alone', async () => {
    const { id, headers } = await createAnonymous('first line')
    await edit({ id, settings: { title: 'Given' } }, { headers })
    await editAsBefore(id, 'other line')
    expect((await read(id)).body.data.settings).toMatchObject({ title: 'Given', language: 'json' })
    expect((await remove(id, { headers })).status).toBe(204)
  })
})
