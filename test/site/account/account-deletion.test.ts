import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import {
  finishAccountDeletion,
  processAccountDeletions,
  startAccountDeletion,
} from '../../../src/accounts/account-deletion.ts'
import { createKey } from '../../../src/accounts/api-keys.ts'
import { ContentStore } from '../../../src/documents/content-store.ts'
import worker from '../../../src/index.ts'
import { Database } from '../../../src/platform/database.ts'
import { account } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { call, create, edit, read, withVars } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import { withProvider } from '../../support/oidc/oidc-sign-in.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { parseForm } from '../../support/site/forms.ts'
import { signInBrowser } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

const findUserRow = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?1').bind(id).first()

describe('deleting an account', () => {
  const createDocuments = async (key: string, count: number) => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push((await create(`text ${n}`, {}, { key })).id)
    return ids
  }

  const makeSessionStale = (id: string) =>
    env.DB.prepare('UPDATE sessions SET created_at = ?2 WHERE user_id = ?1')
      .bind(id, Date.now() - 601_000)
      .run()

  it('deletes its documents and revokes all keys and sessions at once', async () => {
    const { own, browser } = await signInBrowser()
    const elsewhere = await signInBrowser(own)
    const ids = await createDocuments(own.key, 3)
    const answer = await browser.submit('/account/delete', { documents: 'delete' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('Your documents have been deleted, too.')
    for (const id of ids) expect((await read(id)).status).toBe(404)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
    expect((await elsewhere.browser.open('/account')).status).toBe(303)
    expect(await findUserRow(own.id)).toBeNull()
    expect(
      (await env.CONTENTS.list()).keys.filter(({ metadata }) =>
        ids.includes(String((metadata as { document?: string })?.document)),
      ),
    ).toEqual([])
  })

  it('keeps its documents without a creator, so that nobody can change them', async () => {
    const { own, browser } = await signInBrowser()
    const editor = await account()
    const { id } = await create('text 0', { editors: [editor.username] }, { key: own.key })
    const before = await read(id)
    await browser.submit('/account/delete', { documents: 'keep' })
    const after = await read(id)
    expect(after.body.data).toMatchObject({ content: 'text 0', creator: null })
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'))
    expect((await call('DELETE', `/v1/document/${id}`, undefined, { key: editor.key })).status).toBe(403)
    expect((await edit({ id, content: 'mine now' }, { key: editor.key })).status).toBe(403)
    expect((await read(id)).body.data.content).toBe('text 0')
  })

  it('stops requests for the account, and creates no more keys', async () => {
    const { own, browser } = await signInBrowser()
    const db = new Database(env.DB, 15_000)
    await env.DB.prepare("UPDATE users SET leaving = 'delete' WHERE id = ?1").bind(own.id).run()
    expect((await browser.open('/account')).status).toBe(303)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
    expect(await createKey(db, own.id, { name: 'late', now: 0 })).toEqual({ problem: 'limit reached' })
  })

  it("isn't held up by accounts that wait for their gists", async () => {
    const waiting = Array.from({ length: 40 }, (_, n) => `0waiting${n}`)
    const insert = `INSERT INTO users (id, username, email, created_at, leaving)
      VALUES (?1, ?1, ?1 || '@example.org', 0, 'delete')`
    const gist = 'INSERT INTO gists (document_id, user_id, public, due_at) VALUES (?1, ?1, 0, 9e12)'
    await env.DB.batch(waiting.flatMap((id) => [insert, gist].map((sql) => env.DB.prepare(sql).bind(id))))
    const own = await account()
    await env.DB.prepare("UPDATE users SET leaving = 'keep' WHERE id = ?1").bind(own.id).run()
    const store = { db: new Database(env.DB, 15_000), contents: new ContentStore(env.CONTENTS, 15_000) }
    for (let run = 0; run < 40 && (await findUserRow(own.id)); run++)
      await processAccountDeletions(store, () => true)
    expect(await findUserRow(own.id)).toBeNull()
    await env.DB.batch(
      ['gists WHERE user_id', 'users WHERE id'].map((rows) =>
        env.DB.prepare(`DELETE FROM ${rows} LIKE '0waiting%'`),
      ),
    )
  })

  it('asks for a fresh sign-in if the last is more than ten minutes ago', async () => {
    const { own, browser, sent } = await signInBrowser()
    expect(await (await browser.open('/account/delete')).text()).toContain('name="documents"')
    await makeSessionStale(own.id)
    const page = await (await browser.open('/account/delete')).text()
    expect(page).toContain('sign in again')
    expect(page).not.toContain('name="documents"')
    const refused = await browser.submit('/account/delete', { documents: 'delete' })
    expect(refused.status).toBe(403)
    expect(await findUserRow(own.id)).toMatchObject({ leaving: null })
    // The link comes back to the page.
    await browser.submit('/sign-in', { email: own.email, return: '/account/delete' })
    const back = await browser.open(getLink(sent[0]))
    expect(back.headers.get('Location')).toBe('/account/delete')
    expect(await (await browser.open('/account/delete')).text()).toContain('name="documents"')
    expect((await browser.submit('/account/delete', { documents: 'delete' })).status).toBe(200)
    expect(await findUserRow(own.id)).toBeNull()
  })

  it.each(['keep', 'delete'])('keeps the choice "%s" while the user signs in again', async (documents) => {
    const { own, browser, sent } = await signInBrowser()
    await makeSessionStale(own.id)
    const refused = await browser.submit('/account/delete', { documents })
    const fields = await parseForm(await refused.text(), '/sign-in')
    await browser.submit('/sign-in', fields)
    const back = await browser.open(getLink(sent[0]))
    const page = await browser.open(back.headers.get('Location') ?? '')
    expect(await parseForm(await page.text(), '/account/delete')).toMatchObject({ documents })
  })

  it('offers the ways to sign in again, and says so if there is none', async () => {
    const { own, browser } = await signInBrowser()
    await makeSessionStale(own.id)
    const show = async (bindings: Env) => {
      const other = new TestBrowser(bindings)
      for (const [name, value] of browser.cookies) other.setCookie(name, value)
      const page = await (await other.open('/account/delete')).text()
      return [page.includes('Continue with Acme ID'), page.includes('doesn’t send email')]
    }
    expect(await show(withProvider())).toEqual([true, false])
    expect(await show(withVars({}))).toEqual([false, true])
  })

  it('is refused, as every form of an account, after the browser has signed in to another', async () => {
    const { own, browser } = await signInBrowser()
    const pages = ['/account', '/account/delete', '/account/profile', '/account/keys']
    const texts = await Promise.all(pages.map(async (path) => (await browser.open(path)).text()))
    const actions = texts.join('').match(/(?<=<form method="post" action=")\/account\/[^"#]+/g) ?? []
    expect(actions).toContain('/account/sign-out-everywhere')
    expect(texts.join('').split('name="account"')).toHaveLength(actions.length + 1)
    const { own: other, browser: otherBrowser } = await signInBrowser()
    const { id } = await create('mine', {}, { key: other.key })
    const form = { account: own.id, documents: 'delete', id, name: 'key', scope: 'full', expires: 'never' }
    for (const path of [...actions, '/account/documents/delete']) {
      const refused = await otherBrowser.submit(path, form)
      expect({ path, status: refused.status }).toEqual({ path, status: 409 })
      expect(await refused.text()).toContain('signed in to another account since you opened this page')
    }
    expect(await findUserRow(other.id)).not.toBeNull()
    expect((await read(id)).status).toBe(200)
    const fields = await parseForm(texts[1] ?? '', '/account/delete')
    expect((await browser.submit('/account/delete', fields)).status).toBe(200)
    expect(await findUserRow(own.id)).toBeNull()
  })

  it('requires a choice about the documents', async () => {
    const { own, browser } = await signInBrowser()
    await browser.submit('/account/delete', { documents: 'invalid' })
    expect(await findUserRow(own.id)).not.toBeNull()
  })

  it('frees the email address, and keeps the username from others', async () => {
    const { own, browser } = await signInBrowser()
    await browser.submit('/account/delete', { documents: 'delete' })
    await expect(account({ username: own.username })).rejects.toThrow('(reserved)')
    const again =
      "INSERT INTO users (id, username, email, created_at) VALUES ('again', 'somebody-else', ?1, 0)"
    await env.DB.prepare(again).bind(own.email).run()
  })

  it('continues after an interruption, and nobody can sign in meanwhile', async () => {
    expectFaults('deferred work failed')
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const { own, browser } = await signInBrowser()
    const ids = await createDocuments(own.key, 2)
    // The transaction that starts the deletion takes effect, and then storage fails.
    let batches = 0
    const faulty = bindingsWith(async (name, run) => {
      if (name === 'DB.batch') batches += 1
      if (batches > 0 && name === 'DB.all') throw new Error('D1_ERROR: SQLITE_FULL')
      return run()
    })
    const cut = new TestBrowser(faulty)
    for (const [name, value] of browser.cookies) cut.setCookie(name, value)
    const answer = await cut.submit('/account/delete', { documents: 'delete' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('are being deleted')
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
    const again = captureEmail()
    const late = new TestBrowser(again.bindings)
    await late.submit('/sign-in', { email: own.email })
    expect((await late.open(getLink(again.sent[0]))).status).toBe(403)
    await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, env)
    for (const id of ids) expect((await read(id)).status).toBe(404)
    expect(await findUserRow(own.id)).toBeNull()
  })

  it('deletes many documents in batches', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const { own, browser } = await signInBrowser()
    await env.DB.prepare(
      `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        SELECT 'many' || value, ?1, 'content/many' || value, 1, 0, 'plaintext', 0, 0, 0, 0, 'v', 0, 0, 253402300799999
        FROM json_each(?2)`,
    )
      .bind(own.id, JSON.stringify(Array.from({ length: 1_200 }, (_, index) => index)))
      .run()
    const answer = await browser.submit('/account/delete', { documents: 'delete' })
    expect(await answer.text()).toContain('Your documents have been deleted, too.')
    const left = await env.DB.prepare(
      "SELECT count(*) AS n FROM documents WHERE id LIKE 'many%'",
    ).first<number>('n')
    expect(left).toBe(0)
  })
})

const db = new Database(env.DB, 5_000)

const exists = async (id: string) =>
  (await env.DB.prepare('SELECT 1 FROM users WHERE id = ?1').bind(id).first()) !== null

it('an account that is being deleted stays until its last document is gone', async () => {
  const { id, key } = await account()
  const document = await create('stored at the last moment', {}, { key })
  await startAccountDeletion(db, id, 'delete')
  await finishAccountDeletion(db, id)
  expect(await exists(id)).toBe(true)
  await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(document.id).run()
  await finishAccountDeletion(db, id)
  expect(await exists(id)).toBe(false)
})

it('an account that isn’t being deleted stays', async () => {
  const { id } = await account()
  await finishAccountDeletion(db, id)
  expect(await exists(id)).toBe(true)
})
