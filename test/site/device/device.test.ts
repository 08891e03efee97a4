import { describe, expect, it } from 'vitest'
import { MAX_ADDED_DOCUMENTS } from '../../../src/shared/settings.ts'
import { account, session } from '../../support/accounts.ts'
import { createAnonymous, ORIGIN, read, send } from '../../support/client.ts'
import { visit } from '../../support/site/forms.ts'

const take = (documents: readonly { id: string; token: string }[], headers: Record<string, string>) => {
  const body = new FormData()
  for (const { id, token } of documents) body.append('document', `${id}.${token}`)
  return send('/device', { method: 'POST', body, headers })
}

const getCreator = async (id: string) => (await read(id)).body.data.creator

describe('the page “On this device”', () => {
  it('says without scripts why it shows nothing', async () => {
    const { status, html, headers } = await visit('/device')
    expect(status).toBe(200)
    expect(html).toContain('needs JavaScript')
    expect(html).toContain('data-signed-in="false"')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Robots-Tag')).toBe('noindex')
  })

  it('says that a document was deleted', async () => {
    expect((await visit('/device?deleted=xxxxxxxx')).html).toContain('Document deleted.')
    expect((await visit('/device')).html).not.toContain('Document deleted.')
  })
})

describe('adding documents of this device to an account', () => {
  it('makes the account their creator, and takes their cookies', async () => {
    const owner = await account()
    const documents = [await createAnonymous('a'), await createAnonymous('b')]
    const answer = await take(documents, await session(owner))
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect((JSON.parse(text).ids as string[]).sort()).toEqual(documents.map(({ id }) => id).sort())
    expect(text).not.toContain('regent_doc_')
    const cookies = answer.headers.getSetCookie()
    for (const { id } of documents) {
      expect(await getCreator(id)).toMatchObject({ username: owner.username })
      expect(cookies.some((cookie) => cookie.includes(`Max-Age=0; Path=/${id};`))).toBe(true)
    }
  })

  it('skips documents with a wrong token', async () => {
    const [mine, other] = [await createAnonymous('a'), await createAnonymous('b')]
    const answer = await take([{ id: other.id, token: mine.token }, mine], await session(await account()))
    expect(await answer.json()).toEqual({ ids: [mine.id] })
    expect(await getCreator(other.id)).toBeNull()
  })

  it('takes a confirmed account that is signed in, and a page of this site', async () => {
    const own = await createAnonymous('a')
    const confirmed = await session(await account())
    const unconfirmed = await session(await account({ confirmed: false }))
    const refused = [
      [{ Origin: ORIGIN }, 401],
      [unconfirmed, 403],
      [{ ...confirmed, Origin: 'https://evil.example' }, 403],
      [{ Cookie: confirmed.Cookie }, 403],
    ] as const
    for (const [headers, status] of refused) {
      const answer = await take([own], headers)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({ message: expect.any(String) })
    }
    expect(await getCreator(own.id)).toBeNull()
  })

  it('is limited to 100 documents at once', async () => {
    const held = Array.from({ length: MAX_ADDED_DOCUMENTS + 1 }, () => ({ id: 'xxxx', token: 'x' }))
    expect((await take(held, await session(await account()))).status).toBe(400)
  })
})
