import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MAX_DEVICE_DOCUMENTS } from '../../../src/shared/document-ids.ts'
import { account, session } from '../../support/accounts.ts'
import { create, createAnonymous, ORIGIN, read, send } from '../../support/client.ts'
import { parseForm } from '../../support/site/forms.ts'
import { unzip } from '../../support/unzip.ts'

interface Held {
  readonly id: string
  readonly token: string
}

const post = (path: string, documents: string, headers: Record<string, string> = { Origin: ORIGIN }) =>
  send(path, { method: 'POST', body: new URLSearchParams({ documents }), headers })

const format = (held: readonly Held[]) => held.map(({ id, token }) => `${id}.${token}`).join(' ')

async function download(held: readonly Held[]) {
  const response = await post('/device/download/zip', format(held))
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('application/zip')
  return unzip(new Uint8Array(await response.arrayBuffer()))
}

/** Returns the text of a document. The name of its file depends on its title. */
const getText = (files: Map<string, string>, id: string) =>
  [...files].find(([name]) => name.startsWith(`documents/${id}/`) && !name.endsWith('/document.json'))?.[1]

const showPage = async (held: readonly Held[]) => (await post('/device/download', format(held))).text()

const getViews = (id: string) =>
  env.DB.prepare('SELECT views FROM documents WHERE id = ?1').bind(id).first<number>('views')

describe('downloading the documents of a device', () => {
  it('contains content and settings byte for byte, counts no view and burns nothing', async () => {
    const text = '\uFEFFline\r\n\0😀'
    const [plain, burns] = [await createAnonymous(text), await createAnonymous('burns')]
    await env.DB.prepare('UPDATE documents SET instant_delete = 1 WHERE id = ?1').bind(burns.id).run()
    const files = await download([plain, burns])
    expect(getText(files, plain.id)).toBe(text)
    expect(getText(files, burns.id)).toBe('burns')
    expect(JSON.parse(files.get(`documents/${burns.id}/document.json`) ?? '')).toMatchObject({
      id: burns.id,
      instant_delete: true,
      views: 0,
    })
    expect(files.get('list.txt')).toBe(
      `${plain.id}  documents/${plain.id}\n${burns.id}  documents/${burns.id}\n`,
    )
    expect([...files.values()].join()).not.toContain('regent_doc_')
    expect(await getViews(plain.id)).toBe(0)
    expect((await read(burns.id)).body.data.content).toBe('burns')
  })

  it('lists documents that are gone like those with a wrong token, without their text', async () => {
    const [own, gone, expired] = [
      await createAnonymous('own'),
      await createAnonymous('gone'),
      await createAnonymous('expired'),
    ]
    const others = await createAnonymous('of somebody else')
    const ofAccount = await create('of an account', {}, await account())
    await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(gone.id).run()
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(expired.id).run()
    const missing = [gone, expired, { ...others, token: own.token }, { id: ofAccount.id, token: own.token }]
    const files = await download([own, ...missing])
    const [first, ...rest] = (files.get('list.txt') ?? '').trim().split('\n')
    expect(first).toBe(`${own.id}  documents/${own.id}`)
    expect(rest).toEqual(missing.map(({ id }) => `${id}  ${rest[0]?.slice(own.id.length + 2)}`))
    expect([...files.keys()].filter((name) => name.startsWith('documents/'))).toHaveLength(2)
    const html = await showPage([own, ...missing])
    expect(html).toMatch(/1 document<.*3 bytes</)
    expect(html).toContain('4 documents are gone')
  })

  it('says if a text can’t be read, and sends the others', async () => {
    const [broken, fine] = [await createAnonymous('broken'), await createAnonymous('fine')]
    const key = await env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1')
      .bind(broken.id)
      .first<string>('content_key')
    await env.CONTENTS.delete(key ?? '')
    const files = await download([broken, fine])
    expect(files.get('list.txt')).toContain(`documents/${broken.id}, but its text couldn't be read`)
    expect(getText(files, fine.id)).toBe('fine')
  })

  it('divides large documents into parts, and each document is in one of them', async () => {
    const held = await Promise.all(['a', 'b', 'c'].map((text) => createAnonymous(text)))
    await env.DB.prepare('UPDATE documents SET content_bytes = 120000000 WHERE id IN (?1, ?2, ?3)')
      .bind(...held.map(({ id }) => id))
      .run()
    const html = await showPage(held)
    const parts = [...html.matchAll(/name="documents" value="([^"]*)"/g)].map(([, value = '']) => value)
    expect(parts).toHaveLength(3)
    expect(parts.join(' ').split(' ').sort()).toEqual(held.map(({ id, token }) => `${id}.${token}`).sort())
  })

  it('sends a form of the page, with an account too', async () => {
    const own = await createAnonymous('own')
    const headers = await session(await account())
    const page = await (await post('/device/download', format([own]), headers)).text()
    const { documents = '' } = await parseForm(page, '/device/download/zip')
    expect(documents).toBe(format([own]))
  })

  it('refuses other sites, and more documents than a browser keeps', async () => {
    const own = await createAnonymous('own')
    for (const path of ['/device/download', '/device/download/zip']) {
      expect((await post(path, format([own]), { Origin: 'https://other.example' })).status).toBe(403)
      const many = Array.from({ length: MAX_DEVICE_DOCUMENTS + 1 }, (_, n) => `${n}aaaa.b`).join(' ')
      expect((await post(path, many)).status).toBe(400)
    }
    expect(await showPage([])).toContain('There are no documents to download.')
  })
})
