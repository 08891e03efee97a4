import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { generateDocumentToken } from '../../src/documents/document.ts'
import { addDocumentsToAccount } from '../../src/documents/document-tokens.ts'
import type { Quotas } from '../../src/documents/quotas.ts'
import { MAX_ADDED_DOCUMENTS } from '../../src/shared/document-ids.ts'
import { type Account, account, session, suspend } from '../support/accounts.ts'
import { bindingsWith, losingFirst } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, submit, withVars } from '../support/client.ts'
import { openStore } from '../support/storage/contents.ts'

const take = (
  creator: Account,
  held: readonly { id: string; token: string }[],
  { bindings = env, now = Date.now(), quotas }: { bindings?: Env; now?: number; quotas?: Quotas } = {},
) => addDocumentsToAccount(openStore(bindings, quotas), held, { creator, now })

const countMade = async ({ id }: Account) =>
  env.DB.prepare('SELECT documents_made AS made FROM users WHERE id = ?1').bind(id).first<number>('made')

const findStored = ({ id }: Account) =>
  env.DB.prepare('SELECT documents, bytes FROM usage WHERE account_id = ?1').bind(id).first()

describe('taking documents', () => {
  it('makes the account their creator, which edits and deletes them with its key', async () => {
    const owner = await account()
    const documents = [await createAnonymous('a'), await createAnonymous('b')]
    expect((await take(owner, documents)).sort()).toEqual(documents.map(({ id }) => id).sort())
    for (const { id } of documents) {
      expect((await read(id)).body.data.creator).toMatchObject({ username: owner.username })
      expect((await edit({ id, settings: { public: true } }, { key: owner.key })).status).toBe(200)
      expect((await remove(id, { key: owner.key })).status).toBe(204)
    }
  })

  it('ends their tokens', async () => {
    const { id, headers, token } = await createAnonymous('x')
    await take(await account(), [{ id, token }])
    expect((await edit({ id, content: 'y' }, { headers })).status).toBe(403)
    expect((await remove(id, { headers })).status).toBe(403)
    const { results } = await env.DB.prepare('SELECT token_hash FROM documents WHERE id = ?1').bind(id).all()
    expect(results).toEqual([{ token_hash: null }])
  })

  it('takes their revisions along, which count towards the account', async () => {
    const owner = await account()
    const { id, headers, token } = await createAnonymous('one')
    await edit({ id, content: 'second' }, { headers })
    expect(await take(owner, [{ id, token }])).toEqual([id])
    const path = `/v1/document/${id}/revisions`
    expect((await call('GET', path, undefined, { headers })).status).toBe(404)
    expect(await findStored(owner)).toEqual({ documents: 1, bytes: 9 })
    const restored = await call('POST', `${path}/1/restore`, undefined, { key: owner.key, settle: true })
    expect(restored.body.data.content).toBe('one')
    const { revisions } = (await call<{ revisions: object[] }>('GET', path, undefined, owner)).body.data
    expect(revisions).toMatchObject([
      { number: 3, author: owner.username },
      { number: 2, author: null },
      { number: 1, author: null },
    ])
    await remove(id, { key: owner.key, settle: true })
    expect(await findStored(owner)).toEqual({ documents: 0, bytes: 0 })
  })

  it('wins over the holder of the token who deletes the document at the same time', async () => {
    const owner = await account()
    const { id, headers, token } = await createAnonymous('x')
    let batches = 0
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.batch' && ++batches === 1) await take(owner, [{ id, token }])
      return run()
    })
    expect((await remove(id, { headers, bindings })).status).toBe(403)
    expect((await read(id)).body.data.creator).toMatchObject({ username: owner.username })
  })

  it('changes their versions, since the answers change', async () => {
    const { id, token } = await createAnonymous('x')
    const before = (await read(id)).headers.get('ETag')
    await take(await account(), [{ id, token }])
    expect((await read(id)).headers.get('ETag')).not.toBe(before)
  })

  it('counts them as made by the account, once', async () => {
    const owner = await account()
    const documents = [await createAnonymous('a'), await createAnonymous('b')]
    await take(owner, [...documents, ...documents])
    await take(owner, documents)
    expect(await countMade(owner)).toBe(2)
  })

  it('skips wrong tokens, documents of others, and those that are gone', async () => {
    const [owner, other] = [await account(), await account()]
    const [kept, gone, good] = [
      await createAnonymous('a'),
      await createAnonymous('b'),
      await createAnonymous('c'),
    ]
    const foreign = await create('d', {}, { key: other.key })
    await remove(gone.id, { headers: gone.headers })
    const held = [
      { id: kept.id, token: good.token },
      { id: kept.id, token: '' },
      { id: foreign.id, token: generateDocumentToken() },
      { id: 'no id', token: good.token },
      gone,
      good,
    ]
    expect(await take(owner, held)).toEqual([good.id])
    expect((await read(kept.id)).body.data.creator).toBeNull()
    expect((await read(foreign.id)).body.data.creator).toMatchObject({ username: other.username })
    expect(await countMade(owner)).toBe(1)
  })

  it('skips documents that have expired', async () => {
    const { id, token } = await createAnonymous('x')
    const now = Date.now() + 8 * 86_400_000
    const owner = await account()
    expect(await take(owner, [{ id, token }], { now })).toEqual([])
    expect((await read(id)).body.data.creator).toBeNull()
    expect(await countMade(owner)).toBe(0)
  })

  it('gives a suspended account nothing', async () => {
    const owner = await account()
    await suspend(owner)
    const { id, token } = await createAnonymous('x')
    expect(await take(owner, [{ id, token }])).toEqual([])
    expect((await read(id)).body.data.creator).toBeNull()
  })

  it('gives a document to exactly one of many accounts at once', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => account()))
    const { id, token } = await createAnonymous('x')
    const taken = await Promise.all(owners.map((owner) => take(owner, [{ id, token }])))
    expect(taken.flat()).toEqual([id])
    const made = await Promise.all(owners.map(countMade))
    expect(made.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(1)
  })

  it('returns what it took if the first response is lost, and counts it once', async () => {
    const owner = await account()
    const { id, token } = await createAnonymous('x')
    const { bindings, count } = losingFirst('DB.batch')
    expect(await take(owner, [{ id, token }], { bindings })).toEqual([id])
    expect(count()).toBe(2)
    expect(await countMade(owner)).toBe(1)
  })

  describe('within the quotas of the account', () => {
    const toQuotas = (documents: number | null, bytes: number | null): Quotas => ({
      account: { documents, bytes, writesPerDay: null },
      server: { documents: null, bytes: null, writesPerDay: null },
    })
    const full = { code: 'bad_auth', message: expect.stringContaining('Your account is full') }

    it('takes all documents or none', async () => {
      const owner = await account()
      const documents = await Promise.all(['a', 'b', 'c'].map((content) => createAnonymous(content)))
      await expect(take(owner, documents, { quotas: toQuotas(2, null) })).rejects.toMatchObject(full)
      expect(await countMade(owner)).toBe(0)
      for (const { id, headers } of documents) {
        expect((await edit({ id, content: 'mine' }, { headers })).body.data.creator).toBeNull()
      }
      expect(await take(owner, documents, { quotas: toQuotas(3, null) })).toHaveLength(3)
    })

    it('counts the bytes of documents and their revisions', async () => {
      const owner = await account()
      const { id, headers, token } = await createAnonymous('12345')
      await edit({ id, content: '123' }, { headers })
      await expect(take(owner, [{ id, token }], { quotas: toQuotas(null, 7) })).rejects.toMatchObject(full)
      expect(await take(owner, [{ id, token }], { quotas: toQuotas(null, 8) })).toEqual([id])
    })

    it('is exact while 20 requests take documents and 10 create them', async () => {
      const owner = await account()
      const bindings = withVars({ ACCOUNT_MAX_DOCUMENTS: '5' })
      const documents = await Promise.all(Array.from({ length: 20 }, (_, n) => createAnonymous(`text ${n}`)))
      const headers = await session(owner)
      const answers = await Promise.all([
        ...documents.map(({ id, token }) =>
          submit('/device', { document: `${id}.${token}` }, headers, bindings),
        ),
        ...Array.from({ length: 10 }, () =>
          call('POST', '/v1/document', { content: 'x' }, { bindings, key: owner.key }),
        ),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(25)
      expect(await findStored(owner)).toMatchObject({ documents: 5 })
      const refused = answers.find((answer) => answer instanceof Response && answer.status === 403)
      expect(refused instanceof Response && (await refused.json())).toEqual({
        message: 'Your account is full. Delete documents that you no longer need, then try again.',
      })
    })

    it('changes nothing for an account that is over them and takes nothing new', async () => {
      const owner = await account()
      const [first, second] = [await createAnonymous('a'), await createAnonymous('b')]
      await take(owner, [first, second])
      expect(await take(owner, [first], { quotas: toQuotas(1, null) })).toEqual([first.id])
      expect(await take(owner, [], { quotas: toQuotas(1, null) })).toEqual([])
    })
  })

  it('refuses more than 100 at once', async () => {
    const held = Array.from({ length: MAX_ADDED_DOCUMENTS + 1 }, () => ({ id: 'xxxx', token: 'x' }))
    await expect(take(await account(), held)).rejects.toThrow('Invalid request body')
  })
})
