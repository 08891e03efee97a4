import { applyD1Migrations, createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { serializeSigned } from 'hono/utils/cookie'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { decryptToken } from '../../src/accounts/sign-in/github-token.lazy.ts'
import { sessionCookieName } from '../../src/http/cookies.ts'
import worker from '../../src/index.ts'
import { account } from '../support/accounts.ts'
import { call, create, createAnonymous, edit, ORIGIN, read, remove, send, submit } from '../support/client.ts'
import { gitHubBindings } from '../support/github/publishing.ts'
import { captureEmail, getLink } from '../support/site/email.ts'
import { TestBrowser } from '../support/site/test-browser.ts'
import { loadOldDatabase, OLD_DATABASES, readRows } from './old-databases.ts'

async function runJobsTwice(): Promise<void> {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  for (let run = 1; run <= 2; run++) await worker.scheduled(createScheduledController(), gitHubBindings)
}

describe.each(Object.keys(OLD_DATABASES))('after an upgrade from %s', (commit) => {
  let old: Awaited<ReturnType<typeof loadOldDatabase>>

  beforeEach(async () => {
    old = await loadOldDatabase(commit)
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  })

  /** The headers of a browser that signed in before the upgrade. */
  async function signedIn(username: 'ada' | 'grace'): Promise<{ Cookie: string; Origin: string }> {
    const token = old.sessions[username]
    const cookie = await serializeSigned(sessionCookieName(ORIGIN), token, env.AUTH_SECRET ?? '', {
      path: '/',
      secure: true,
    })
    return { Cookie: cookie.slice(0, cookie.indexOf(';')), Origin: ORIGIN }
  }

  async function open(path: string, headers: Record<string, string> = {}) {
    const response = await send(path, { headers, redirect: 'manual' })
    return { status: response.status, html: await response.text() }
  }

  it('reads a document with its settings and its creator', async () => {
    const { status, body } = await read(old.documents.plain)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      content: '# Notes\n\nWritten before the upgrade.\n',
      creator: { username: 'ada' },
      gist_url: 'https://gist.github.com/ada/aa5a315d61ae9438b18d',
      settings: { language: 'markdown', public: true, image_embed: true },
    })
    const page = await open(`/${old.documents.plain}`)
    expect(page.status).toBe(200)
    expect(page.html).toContain('Written before the upgrade.')
    expect(await (await send(`/r/${old.documents.edited}`)).text()).toBe('second version\n')
  })

  it('decrypts an encrypted document with its password', async () => {
    const { encrypted } = old.documents
    const path = `/v1/document/${encrypted}?password=${old.passwords.encrypted}`
    expect((await call('GET', path)).body.data.content).toBe('An encrypted note.\n')
    expect((await read(encrypted)).body.data.content).toMatch(/^eyJ/)
  })

  it('burns documents that are deleted after the first read', async () => {
    const { burn, encryptedBurn } = old.documents
    expect((await read(burn)).body.data.content).toBe('Read me once.\n')
    expect((await read(burn)).status).toBe(404)
    const path = `/v1/document/${encryptedBurn}?password=${old.passwords.encryptedBurn}`
    expect((await call('GET', path)).body.data.content).toBe('Decrypt me once.\n')
    expect((await call('GET', path)).status).toBe(404)
  })

  it('lets creators and editors edit, with every key, and no one else', async () => {
    const { edited, shared } = old.documents
    for (const key of [old.keys.ada, old.keys.adaLaptop]) {
      const answer = await edit({ id: edited, content: `by ${key}` }, { key })
      expect({ status: answer.status, content: answer.body.data.content }).toEqual({
        status: 200,
        content: `by ${key}`,
      })
    }
    expect((await edit({ id: shared, content: 'by Grace' }, { key: old.keys.grace })).status).toBe(200)
    expect((await read(shared)).body.data).toMatchObject({
      content: 'by Grace',
      settings: { editors: ['grace'] },
    })
    expect((await edit({ id: edited, content: 'by Grace' }, { key: old.keys.grace })).status).toBe(403)
  })

  it('creates documents and counts them', async () => {
    const made = await create('After the upgrade', { public: true }, { key: old.keys.ada })
    expect((await read(made.id)).body.data.creator).toMatchObject({ username: 'ada' })
    const users = await readRows('users')
    expect(users.find(({ username }) => username === 'ada')).toMatchObject({ documents_made: 7 })
  })

  it('refuses suspended accounts and unconfirmed ones as before', async () => {
    const answer = (key: string) =>
      call('POST', '/v1/document', { content: 'x', settings: { public: true } }, { key })
    expect((await answer(old.keys.mallory)).status).toBe(401)
    expect((await answer(old.keys.linus)).status).toBe(403)
  })

  it('keeps people signed in, and lists their documents', async () => {
    const ada = await signedIn('ada')
    expect((await open('/account', ada)).status).toBe(200)
    const { status, html } = await open('/account/documents', ada)
    expect(status).toBe(200)
    for (const id of [old.documents.plain, old.documents.encrypted, old.documents.burn])
      expect(html).toContain(`/${id}`)
    expect(html).not.toContain(old.documents.grace)
  })

  it('signs people in by email', async () => {
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email: 'ada@example.org' })
    await browser.open(getLink(sent[0]))
    const page = await browser.open('/account')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('ada@example.org')
  })

  it('keeps the linked account, its encrypted token included', async () => {
    const rows = await readRows('linked_accounts')
    const token = rows.find(({ id }) => id === 'link-ada-1')?.access_token
    expect(await decryptToken(String(token), env.AUTH_SECRET ?? '')).toBe('gho_token_of_ada')
  })

  it('lets admins see reports and remove documents, and shows removals to their creators', async () => {
    const grace = await signedIn('grace')
    const { reported } = old.documents
    expect((await open('/moderation', grace)).html).toContain('advertisement; see line 1')
    expect((await open('/moderation/removals', grace)).html).toContain('Removed by the operator.')
    expect((await submit(`/moderation/${reported}/remove`, { reason: 'Spam' }, grace)).status).toBe(303)
    expect((await read(reported)).status).toBe(404)
  })

  it('deletes documents, and keeps track of their gists', async () => {
    const { plain } = old.documents
    expect((await remove(plain, { key: old.keys.grace, bindings: gitHubBindings })).status).toBe(403)
    const own = { key: old.keys.ada, bindings: gitHubBindings, settle: true }
    expect((await remove(plain, own)).status).toBe(204)
    expect((await read(plain)).status).toBe(404)
    expect(await readRows('gists')).toEqual([
      expect.objectContaining({ document_id: plain, gist_id: 'aa5a315d61ae9438b18d' }),
    ])
  })

  it('finishes pending deletions of content and of an account', async () => {
    expect(await readRows('detached_contents')).not.toEqual([])
    const before = (await env.CONTENTS.list()).keys.length
    // The first run deletes the account's documents, the second one their content.
    await runJobsTwice()
    expect((await readRows('users')).map(({ username }) => username)).not.toContain('zoe')
    expect((await read(old.documents.leaving)).status).toBe(404)
    expect((await env.CONTENTS.list()).keys.length).toBeLessThan(before)
    expect((await read(old.documents.edited)).body.data.content).toBe('second version\n')
  })

  it('deletes an account with its keys, sessions and documents', async () => {
    const ada = await signedIn('ada')
    expect((await submit('/account/delete', { documents: 'delete' }, ada)).status).toBe(403)
    // As if she had signed in again: deletion needs a fresh session.
    await env.DB.prepare('UPDATE sessions SET created_at = ?1').bind(Date.now()).run()
    const answer = await submit('/account/delete', { documents: 'delete' }, ada)
    expect(answer.status).toBe(200)
    await runJobsTwice()
    expect((await read(old.documents.edited)).status).toBe(404)
    expect((await open('/account', ada)).status).toBe(303)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: old.keys.ada })).status).toBe(401)
    expect((await read(old.documents.grace)).status).toBe(200)
  })
})

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
