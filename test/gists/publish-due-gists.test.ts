import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { retryRefusedGists } from '../../src/gists/gist-store.ts'
import {
  formatGistDescription,
  getGistFileName,
  isGistDescription,
} from '../../src/gists/publish-gist.lazy.ts'
import worker from '../../src/index.ts'
import { Database } from '../../src/platform/database.ts'
import { LANGUAGES } from '../../src/shared/languages.ts'
import { session } from '../support/accounts.ts'
import { edit as editBy, read, remove as removeBy, send } from '../support/client.ts'
import {
  controlGitHub,
  createAuthor,
  findGistRow,
  gitHubBindings,
  gitHubBindingsWith,
  HOUR_MS,
  linkGitHub,
  MINUTE_MS,
  runDueGists,
  unlinkGitHub,
} from '../support/github/publishing.ts'

/** Creates an author whose documents are due to be published. */
async function createDueGists(count: number) {
  const author = await createAuthor()
  await author.fail({ on: 'POST', times: count, answer: { status: 500 } })
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await author.create(`text ${n}`)).id)
  return { ...author, ids }
}

describe('publishing due gists', () => {
  it('reports what it did', async () => {
    const first = await createDueGists(2)
    const second = await createDueGists(3)
    await second.fail({ on: 'GET /gists', answer: { status: 401 } })
    await second.fail({ on: 'GET /gists', answer: 'drop' })
    expect(await runDueGists(2 * MINUTE_MS)).toEqual({
      published: 3,
      deleted: 0,
      refused: 1,
      postponed: 1,
      complete: true,
    })
    expect((await first.state()).created).toBe(2)
  })

  it('skips a rate-limited account and continues with the others', async () => {
    const limited = await createDueGists(3)
    const other = await createDueGists(1)
    const { requests } = await limited.state()
    await limited.fail({
      on: 'GET /gists',
      times: 10,
      answer: { status: 403, headers: { 'Retry-After': '3600' } },
    })
    await runDueGists(2 * MINUTE_MS)
    expect((await limited.state()).requests.length).toBe(requests.length + 1)
    expect((await other.state()).created).toBe(1)
    await runDueGists(30 * MINUTE_MS)
    expect((await limited.state()).requests.length).toBe(requests.length + 1)
    for (const id of limited.ids) expect(await findGistRow(id)).toMatchObject({ refusal: null })
  })

  it('starts nothing more after its time budget, and the next run continues', async () => {
    const { state } = await createDueGists(2)
    expect(await runDueGists(2 * MINUTE_MS, { budgetMs: 0 })).toMatchObject({ published: 0, complete: false })
    expect((await state()).created).toBe(0)
    await runDueGists(2 * MINUTE_MS)
    expect((await state()).created).toBe(2)
  })

  it('continues with the others when storage fails for one', async () => {
    const { state } = await createDueGists(3)
    let batches = 0
    const bindings = gitHubBindingsWith(async (call, run) => {
      if (call === 'DB.batch' && ++batches === 1) throw new Error('D1_ERROR: disk I/O error')
      return run()
    })
    await expect(runDueGists(2 * MINUTE_MS, { bindings })).rejects.toThrow('disk I/O error')
    expect((await state()).created).toBe(2)
    await runDueGists(2 * MINUTE_MS)
    expect((await state()).created).toBe(3)
  })
})

describe('the scheduled trigger', () => {
  it('publishes gists even if cleanup fails', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { create, fail, gist } = await createAuthor()
    await fail({ on: 'POST', answer: { status: 401 } })
    const { id } = await create('text')
    await env.DB.prepare('UPDATE gists SET due_at = 0 WHERE document_id = ?1').bind(id).run()
    const failing = gitHubBindingsWith(async (call, run) => {
      if (call === 'CONTENTS.list') throw new Error('KV is on fire')
      return run()
    })
    await expect(worker.scheduled(createScheduledController(), failing)).rejects.toThrow()
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
    const logged = log.mock.calls.map(([line]) => JSON.parse(String(line)))
    expect(logged).toContainEqual(expect.objectContaining({ event: 'gists', published: 1, complete: true }))
    expect(logged.map(({ event }) => event)).not.toContain('cleanup')
    expect(String(error.mock.calls[0]?.[0])).toContain('cleanup failed')
  })
})

describe('tokens', () => {
  it('never reach a log, an error or a response, even if GitHub or storage fails', async () => {
    const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    for (const spy of spies) spy.mockImplementation(() => {})
    const author = await createAuthor()
    const { token } = author.gitHub
    const answers: unknown[] = []
    for (const answer of ['drop', { status: 401 }, { status: 500, message: token }] as const) {
      await author.fail({ on: 'POST', answer })
      answers.push(await author.create('text'))
    }
    const stored = await env.DB.prepare('SELECT access_token FROM linked_accounts WHERE user_id = ?1')
      .bind(author.id)
      .first<string>('access_token')
    const broken = gitHubBindingsWith(async (call, run) => {
      const result = await run()
      if (call === 'DB.reads' && JSON.stringify(result).includes(String(stored))) throw new Error('lost')
      return result
    })
    await runDueGists(2 * HOUR_MS, { bindings: broken }).catch((error) => answers.push(String(error.stack)))
    await worker.scheduled(createScheduledController(), broken).catch(() => {})
    await runDueGists(2 * HOUR_MS)
    await worker.scheduled(createScheduledController(), gitHubBindings)
    const rows = await env.DB.prepare('SELECT * FROM gists').all()
    const said = JSON.stringify([answers, spies.map((spy) => spy.mock.calls), rows.results])
    expect(spies.some((spy) => spy.mock.calls.length > 0)).toBe(true)
    expect(answers.length).toBe(4)
    expect(said).not.toContain(token)
    expect(said).not.toContain(String(stored))
  })

  it("are never sent to a URL from GitHub's responses", async () => {
    const { create, fail, state } = await createAuthor()
    await fail({
      on: 'POST',
      answer: { status: 307, headers: { Location: `${gitHubBindings.GITHUB_API_URL}/elsewhere` } },
    })
    await create('text')
    expect((await state()).requests).toEqual(['POST /gists'])
  })
})

const edit = (body: Record<string, unknown>, key: string) =>
  editBy(body, { key, bindings: gitHubBindings, settle: true })
const remove = (id: string, key: string) => removeBy(id, { key, bindings: gitHubBindings, settle: true })
const db = new Database(env.DB, 5_000)

describe('a GitHub account', () => {
  it('publishes again after reconnecting when its token was revoked', async () => {
    const { create, gist, gitHub, id: userId, key, state } = await createAuthor()
    const { id } = await create('before')
    const gone = await create('gone')
    await controlGitHub({ do: 'revoke token', token: gitHub.token })
    await edit({ id, content: 'after' }, key)
    await remove(gone.id, key)
    await runDueGists(HOUR_MS)
    for (const row of [await findGistRow(id), await findGistRow(gone.id)]) {
      expect(row).toMatchObject({ due_at: null, refusal: 'bad_credentials' })
    }
    expect((await state()).gists).toHaveLength(2)
    const { token } = await controlGitHub<{ token: string }>({
      do: 'issue token',
      login: gitHub.login,
      scopes: ['gist'],
    })
    await unlinkGitHub(userId)
    await linkGitHub(userId, { token, scopes: ['gist'] })
    await retryRefusedGists(db, userId, Date.now())
    await runDueGists()
    expect(Object.values((await gist()).files)).toEqual(['after'])
    expect((await state()).created).toBe(2)
  })

  it('keeps its gists until reconnected when its token has lost the gist scope', async () => {
    const { create, gitHub, id: userId, key, state } = await createAuthor()
    const { id } = await create('before')
    const weaker = await controlGitHub<{ token: string }>({
      do: 'issue token',
      login: gitHub.login,
      scopes: [],
    })
    await unlinkGitHub(userId)
    await linkGitHub(userId, { token: weaker.token, scopes: ['gist'] })
    await edit({ id, content: 'after' }, key)
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal: 'no_rights' })
    await remove(id, key)
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal: 'no_rights' })
    expect((await state()).gists).toHaveLength(1)
  })

  it('publishes nothing once disconnected, and deletes what is gone after reconnecting', async () => {
    const { create, gitHub, id: userId, key, state } = await createAuthor()
    const { id } = await create('before')
    const { requests } = await state()
    await unlinkGitHub(userId)
    await edit({ id, content: 'after' }, key)
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal: 'not_linked' })
    await remove(id, key)
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal: 'not_linked' })
    expect((await state()).requests).toEqual(requests)
    await linkGitHub(userId, { token: gitHub.token, scopes: ['gist'] })
    await retryRefusedGists(db, userId, Date.now())
    await runDueGists()
    expect(await findGistRow(id)).toBeNull()
    expect((await state()).gists).toHaveLength(0)
  })

  it("keeps a deleted account's row until its gists are deleted, which takes its token", async () => {
    const silent = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    for (const spy of silent) spy.mockImplementation(() => {})
    const author = await createAuthor()
    const [first, second] = [await author.create('first'), await author.create('second')]
    await author.fail({ on: 'DELETE', times: 1, answer: { status: 500 } })
    const headers = await session(author)
    const form = { method: 'POST', body: new URLSearchParams({ documents: 'delete' }), headers }
    const answer = await send('/account/delete', form, { bindings: gitHubBindings, settle: true })
    expect(answer.status).toBe(200)
    for (const { id } of [first, second]) expect((await read(id)).status).toBe(404)
    const isThere = () => env.DB.prepare('SELECT 1 FROM users WHERE id = ?1').bind(author.id).first()
    await worker.scheduled(createScheduledController(), gitHubBindings)
    expect((await author.state()).gists).toHaveLength(1)
    expect(await isThere()).not.toBeNull()
    await env.DB.prepare('UPDATE gists SET due_at = 0, leased_until = 0 WHERE user_id = ?1')
      .bind(author.id)
      .run()
    await worker.scheduled(createScheduledController(), gitHubBindings)
    expect((await author.state()).gists).toHaveLength(0)
    expect(await isThere()).toBeNull()
  })

  it('leaves no work behind when its account is gone', async () => {
    const { create, id: userId, key, gitHub } = await createAuthor()
    const [kept, deleted, refused] = [await create('kept'), await create('deleted'), await create('refused')]
    await controlGitHub({ do: 'revoke token', token: gitHub.token })
    await remove(refused.id, key)
    expect(await findGistRow(refused.id)).toMatchObject({ due_at: null, refusal: 'bad_credentials' })
    await env.DB.batch([
      env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(deleted.id),
      env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(userId),
    ])
    await runDueGists(MINUTE_MS)
    expect(await findGistRow(deleted.id)).toBeNull()
    expect(await findGistRow(refused.id)).toBeNull()
    expect((await read(kept.id)).status).toBe(200)
    const due = env.DB.prepare('SELECT due_at FROM gists WHERE user_id = ?1 AND due_at < ?2')
    expect((await due.bind(userId, Date.now() + HOUR_MS).all()).results).toEqual([])
  })
})

describe('getGistFileName', () => {
  it.each([
    ['plaintext', 'txt'],
    ['typescript', 'ts'],
    ['ts', 'ts'],
    ['python', 'py'],
    ['c++', 'cpp'],
    ['dockerfile', 'dockerfile'],
    ['klingon', 'txt'],
    ['../../etc/passwd', 'txt'],
    ['constructor', 'txt'],
  ])('names a file in %s with the extension .%s', (language, extension) => {
    expect(getGistFileName('abcd', language)).toBe(`abcd.${extension}`)
  })

  it('gives every known language its own file name', () => {
    const names = LANGUAGES.map(({ name }) => getGistFileName('abcd', name))
    expect(new Set(names).size).toBe(LANGUAGES.length)
  })
})

describe('formatGistDescription', () => {
  const id = 'bcdfghjk'

  it('can be recognized by its marker, with any title and site URL', () => {
    for (const title of [null, 'x', 'Regent document other', `Regent document ${id}`, '😀'.repeat(80)]) {
      for (const siteUrl of [null, 'https://paste.example']) {
        const description = formatGistDescription({ id, title }, siteUrl)
        expect(isGistDescription(id, description)).toBe(true)
        expect(isGistDescription('bcdfghj', description)).toBe(false)
        expect(isGistDescription('other', description)).toBe(false)
        expect(description.includes('paste.example')).toBe(siteUrl !== null)
      }
    }
  })

  it('returns at most 256 characters', () => {
    const long = 'b'.repeat(36)
    for (const siteUrl of [`https://${'x'.repeat(50)}`, `https://${'x'.repeat(250)}`]) {
      expect(
        [...formatGistDescription({ id: long, title: '😀'.repeat(80) }, siteUrl)].length,
      ).toBeLessThanOrEqual(256)
    }
  })
})
