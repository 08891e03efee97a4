import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createKey, listKeys } from '../../../src/accounts/api-keys.ts'
import { Database } from '../../../src/platform/database.ts'
import { account } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { call, create } from '../../support/client.ts'
import { parseForm } from '../../support/site/forms.ts'
import { signInBrowser } from '../../support/site/sign-in.ts'

describe('API keys', () => {
  it('can be created, are shown once, and can be revoked', async () => {
    const { browser } = await signInBrowser()
    const created = await browser.submit('/account/keys', { name: ' my <laptop> ' })
    expect(created.status).toBe(200)
    expect(created.headers.get('Cache-Control')).toBe('no-store')
    const page = await created.text()
    const key = /imperial_[A-Za-z0-9]{40}/.exec(page)?.[0] ?? ''
    expect(page).toContain('my &lt;laptop&gt;')
    await create('x', { public: true }, { key, settle: true })
    const after = await (await browser.open('/account')).text()
    expect(after).not.toContain(key)
    expect(after).not.toContain('never used')
    const keyId = [...after.matchAll(/\/account\/keys\/([a-z0-9]{12})\/revoke/g)].at(0)?.[1] ?? ''
    const revoked = await browser.submit(`/account/keys/${keyId}/revoke`)
    expect(revoked.headers.get('Location')).toBe('/account?done=revoked')
    expect((await call('POST', '/v1/document', { content: 'x' }, { key })).status).toBe(401)
  })

  it('have a form on a page of its own, for browsers that open no dialogs', async () => {
    const { browser } = await signInBrowser()
    const page = await (await browser.open('/account/keys')).text()
    const fields = await parseForm(page, '/account/keys#keys')
    expect((await browser.submit('/account/keys', { ...fields, name: 'plain' })).status).toBe(200)
    expect(await (await browser.open('/account')).text()).toContain('<strong>plain</strong>')
  })

  it('are created once when the form is sent twice, as by a reload', async () => {
    const { own, browser } = await signInBrowser()
    const id =
      /name="id" value="([a-z0-9]{12})"/.exec(await (await browser.open('/account')).text())?.[1] ?? ''
    const answers = [
      await browser.submit('/account/keys', { id, name: 'laptop' }),
      await browser.submit('/account/keys', { id, name: 'laptop' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 303])
    const back = answers[1]?.headers.get('Location') ?? ''
    expect(await (await browser.open(back)).text()).toContain('already been created')
    const keys = await listKeys(new Database(env.DB, 15_000), own.id)
    expect(keys.filter(({ name }) => name === 'laptop')).toHaveLength(1)
  })

  it('get the access and the expiry that were chosen', async () => {
    const { own, browser } = await signInBrowser()
    await browser.submit('/account/keys', { name: 'backup', scope: 'read', expires: 'month' })
    const keys = await listKeys(new Database(env.DB, 15_000), own.id)
    const days = ((keys[0]?.expiresAt ?? 0) - Date.now()) / 86_400_000
    expect({ scope: keys[0]?.scope, days: Math.round(days) }).toEqual({ scope: 'read', days: 30 })
  })

  it('may read and write, and never expire, unless something else is chosen', async () => {
    const { own, browser } = await signInBrowser()
    await browser.submit('/account/keys', { name: 'laptop' })
    const keys = await listKeys(new Database(env.DB, 15_000), own.id)
    expect(keys[0]).toMatchObject({ scope: 'write', expiresAt: null })
  })

  it.each([{ scope: 'admin' }, { expires: 'tomorrow' }])(
    'are refused with an unknown option, and the form keeps the name: %o',
    async (more) => {
      const { own, browser } = await signInBrowser()
      const answer = await browser.submit('/account/keys', { name: 'laptop', ...more })
      expect(answer.status).toBe(400)
      const page = await answer.text()
      expect(page).toContain('Choose one of the options')
      expect(page).toContain('value="laptop"')
      expect(await listKeys(new Database(env.DB, 15_000), own.id)).toHaveLength(1)
    },
  )

  it('are listed as expired once they have expired', async () => {
    const { own, browser } = await signInBrowser()
    await env.DB.prepare('UPDATE api_keys SET expires_at = ?2 WHERE user_id = ?1').bind(own.id, 1).run()
    expect(await (await browser.open('/account')).text()).toContain('<strong>Expired <time')
  })

  it("can't be revoked by another account", async () => {
    const { browser: one } = await signInBrowser()
    const { browser: other, own } = await signInBrowser()
    const row = await env.DB.prepare('SELECT id FROM api_keys WHERE user_id = ?1')
      .bind(own.id)
      .first<{ id: string }>()
    await one.submit(`/account/keys/${row?.id}/revoke`)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(200)
    await other.submit(`/account/keys/${row?.id}/revoke`)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
  })

  it.each(['', '   ', 'x'.repeat(101)])('require a name of 1 to 100 characters: %j', async (name) => {
    const { browser } = await signInBrowser()
    const answer = await browser.submit('/account/keys', { name })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('1 to 100 characters')
  })

  it('are limited to 100 per account', async () => {
    const { browser, own } = await signInBrowser()
    await env.DB.prepare(
      `INSERT INTO api_keys (key_hash, id, user_id, name, created_at)
        SELECT ?1 || value, ?1 || value, ?1, 'many', 0 FROM json_each(?2)`,
    )
      .bind(own.id, JSON.stringify(Array.from({ length: 98 }, (_, index) => index)))
      .run()
    const [first, second] = [
      await browser.submit('/account/keys', { name: 'the hundredth' }),
      await browser.submit('/account/keys', { name: 'one more' }),
    ]
    expect(first.status).toBe(200)
    expect(second.status).toBe(400)
    expect(await second.text()).toContain('100 keys')
  })

  it("aren't created when D1 runs the statement after the deadline", async () => {
    const own = await account()
    const clock = vi.spyOn(Date, 'now')
    let late: () => Promise<unknown> = () => Promise.resolve()
    const bindings = bindingsWith(
      async (name, run) => {
        if (name !== 'DB.batch') return run()
        late = run
        return new Promise(() => {})
      },
      { STORAGE_TIMEOUT_MS: '250' },
    )
    // The deadline is some seconds ahead, so a clock that is slow by more has made it pass already.
    clock.mockImplementation(() => performance.timeOrigin + performance.now() - 10_000)
    const making = createKey(new Database(bindings.DB, 250), own.id, { name: 'late', now: 0 })
    await expect(making).rejects.toMatchObject({ code: 'unavailable' })
    clock.mockRestore()
    await late()
    expect((await listKeys(new Database(env.DB, 15_000), own.id)).map(({ name }) => name)).toEqual(['test'])
  })

  it('record their last use, at most once an hour', async () => {
    const { own } = await signInBrowser()
    await env.DB.prepare('UPDATE api_keys SET last_used_at = NULL WHERE user_id = ?1').bind(own.id).run()
    const usedAt = () =>
      env.DB.prepare('SELECT last_used_at FROM api_keys WHERE user_id = ?1')
        .bind(own.id)
        .first<number>('last_used_at')
    await create('x', {}, { key: own.key, settle: true })
    const first = await usedAt()
    expect(Math.abs((first ?? 0) - Date.now())).toBeLessThan(60_000)
    await create('x', {}, { key: own.key, settle: true })
    expect(await usedAt()).toBe(first)
  })
})
