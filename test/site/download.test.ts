import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MAX_PART_DOCUMENTS } from '../../src/documents/export.ts'
import { MAX_DEVICE_DOCUMENTS } from '../../src/shared/document-ids.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { type Account, account, session } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { create, createAnonymous, ORIGIN, read, send } from '../support/client.ts'
import { parseForm } from '../support/site/forms.ts'
import { loseContent } from '../support/storage/contents.ts'
import { unzip } from '../support/unzip.ts'

const ZIP = '/account/download/zip'

/** Downloads one part and returns its files. */
async function download(own: Account, path = ZIP, bindings: Env = env) {
  const response = await send(path, { headers: await session(own) }, { bindings })
  expect(response.status).toBe(200)
  return unzip(new Uint8Array(await response.arrayBuffer()))
}

/** Returns the links of the download page. */
async function findPartPaths(own: Account): Promise<string[]> {
  const page = await (await send('/account/download', { headers: await session(own) })).text()
  return [...page.matchAll(/href="(\/account\/download\/zip[^"]*)"/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  )
}

/** Gives an account documents that share one content. */
async function addDocuments(own: Account, count: number, contentBytes = 4): Promise<void> {
  const key = `content/of-${own.id}`
  await env.CONTENTS.put(key, 'text')
  await env.DB.prepare(
    `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
        instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
      SELECT 'many' || (CAST(?4 AS INTEGER) + value), ?1, ?2, ?3, 0, 'plaintext', 0, 0, 0, 0, 'v', value / 7, 0, 253402300799999
      FROM json_each(?5)`,
  )
    .bind(
      own.id,
      key,
      contentBytes,
      ++made * 100_000,
      JSON.stringify(Array.from({ length: count }, (_, n) => n)),
    )
    .run()
}
let made = 0

const idsIn = (files: Map<string, string>) =>
  [...files.keys()].flatMap((name) => /^documents\/(\w+)\/document\.json$/.exec(name)?.[1] ?? [])

describe('the download of an account’s data', () => {
  it('contains the content and the metadata of every document, byte for byte', async () => {
    const [own, editor, other] = [await account(), await account(), await account()]
    const text = '\uFEFFline\r\n\0😀'
    const plain = await create(
      text,
      { title: 'notes.md', language: 'markdown', editors: [editor.username] },
      own,
    )
    const encrypted = await create('secret', { encrypted: true }, own)
    const burns = await create('burns', { instant_delete: true }, own)
    const others = await create('of somebody else', {}, other)
    const files = await download(own)
    expect(idsIn(files).sort()).toEqual([plain.id, encrypted.id, burns.id].sort())
    expect(files.get(`documents/${plain.id}/notes.md`)).toBe(text)
    const jwe = files.get(`documents/${encrypted.id}/${encrypted.id}.jwe`)
    expect(jwe).toBe((await read(encrypted.id)).body.data.content)
    expect(JSON.parse(files.get(`documents/${plain.id}/document.json`) ?? '')).toMatchObject({
      given_title: 'notes.md',
      language: 'markdown',
      editors: [editor.username],
      created: plain.timestamps.creation,
      views: 0,
    })
    // It counts no view, and burns nothing.
    expect((await read(plain.id)).body.data.views).toBe(1)
    expect((await read(burns.id)).body.data.content).toBe('burns')
    expect([...files.values()].join()).not.toContain((await read(others.id)).body.data.content)
  })

  it('contains the account without its secrets', async () => {
    const own = await account()
    const creator = await account()
    const { id } = await create('x', { editors: [own.username] }, creator)
    await env.DB.prepare(
      "INSERT INTO removals (document_id, creator_id, title, removed_at, removed_by, reason) VALUES ('gone', ?1, 'Title', 0, 'operator', 'spam')",
    )
      .bind(own.id)
      .run()
    await env.DB.prepare(
      "INSERT INTO linked_accounts (id, user_id, provider_id, account_id, login, created_at) VALUES (?1, ?1, 'github', ?1, 'ada', 1)",
    )
      .bind(own.id)
      .run()
    await env.DB.prepare(
      "INSERT INTO linked_accounts (id, user_id, provider_id, account_id, created_at) VALUES (?1 || '-2', ?1, 'https://id.example/', ?1, 1)",
    )
      .bind(own.id)
      .run()
    await env.DB.prepare(
      "INSERT INTO invitations (token_hash, id, creator_id, recipient, created_at, expires_at) VALUES ('hash of ' || ?1, ?1, ?1, 'Grace', 0, 1)",
    )
      .bind(own.id)
      .run()
    await env.DB.prepare("UPDATE users SET username = username || '-2' WHERE id = ?1").bind(own.id).run()
    const files = await download(own)
    const json = files.get('account.json') ?? ''
    expect(JSON.parse(json)).toMatchObject({
      profile: {
        username: `${own.username}-2`,
        email: own.email,
        email_confirmed: true,
        has_profile_page: true,
      },
      reserved_usernames: [{ reserved_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/) }],
      github: { login: 'ada', connected: '1970-01-01T00:00:00.001Z' },
      single_sign_on: [
        { issuer: 'https://id.example/', subject: own.id, connected: '1970-01-01T00:00:00.001Z' },
      ],
      invitations: [{ for: 'Grace', made: new Date(0).toISOString(), expires: '1970-01-01T00:00:00.001Z' }],
      defaults_for_new_documents: null,
      api_keys: [{ name: 'test', scope: 'everything', expires: null }],
      sessions: [{ signed_in: expect.any(String) }],
      documents_shared_with_you: [id],
      removed_documents: [{ id: 'gone', title: 'Title', reason: 'spam', removed: new Date(0).toISOString() }],
    })
    expect(json).not.toContain(own.key)
    expect(json).not.toContain('hash of')
    expect(json).not.toContain(await hashSecret(own.key))
    expect(files.get('README.txt')).toContain('account.json')
  })

  it('needs a session: an API key is not enough', async () => {
    const { key } = await account()
    for (const path of [ZIP, '/account/download']) {
      expect((await send(path, { headers: { Authorization: key } })).status).toBe(303)
      expect((await send(path)).status).toBe(303)
    }
  })

  it('is split into parts that together have each document once, within the limits of a Worker', async () => {
    const own = await account()
    await addDocuments(own, 2 * MAX_PART_DOCUMENTS + 1)
    const paths = await findPartPaths(own)
    expect(paths).toHaveLength(3)
    const ids: string[] = []
    for (const [index, path] of paths.entries()) {
      const { bindings, calls } = countCalls()
      const files = await download(own, path, bindings)
      expect(calls.length).toBeLessThan(500)
      expect(calls.filter((call) => call.startsWith('DB')).length).toBeLessThan(20)
      expect(files.has('account.json')).toBe(index === 0)
      ids.push(...idsIn(files))
    }
    expect(ids).toHaveLength(2 * MAX_PART_DOCUMENTS + 1)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has every document once, though some have grown and others have come since the page was loaded', async () => {
    const own = await account()
    await addDocuments(own, MAX_PART_DOCUMENTS + 5)
    const paths = await findPartPaths(own)
    expect(paths).toHaveLength(2)
    const grow =
      'UPDATE documents SET content_bytes = 150 * 1024 * 1024 WHERE creator_id = ?1 AND created_at < 1'
    await env.DB.prepare(grow).bind(own.id).run()
    await addDocuments(own, 3)
    const ids: string[] = []
    for (const path of paths) ids.push(...idsIn(await download(own, path)))
    expect(ids).toHaveLength(MAX_PART_DOCUMENTS + 8)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('breaks off if more documents have come into a part than a Worker can read', async () => {
    const own = await account()
    await addDocuments(own, 7)
    const [path = ''] = await findPartPaths(own)
    await addDocuments(own, 2 * MAX_PART_DOCUMENTS)
    await env.DB.prepare('UPDATE documents SET created_at = 0 WHERE creator_id = ?1').bind(own.id).run()
    const late = path.replace(/until=[^&]*/, 'until=1-zzzzzzzz')
    const answer = await send(late, { headers: await session(own) })
    await expect(answer.bytes()).rejects.toThrow('too many documents')
  })

  it('starts a new part after 200 MiB, with at least one document in each', async () => {
    const own = await account()
    await addDocuments(own, 5, 90 * 1024 * 1024)
    expect(await findPartPaths(own)).toHaveLength(3)
    const big = await account()
    await addDocuments(big, 2, 300 * 1024 * 1024)
    expect(await findPartPaths(big)).toHaveLength(2)
  })

  it('reads content only as fast as the client takes it', async () => {
    const own = await account()
    await addDocuments(own, 50)
    const { bindings, calls } = countCalls()
    const response = await send(ZIP, { headers: await session(own) }, { bindings })
    const reader = response.body?.getReader()
    await reader?.read()
    expect(calls.filter((call) => call === 'CONTENTS.get').length).toBeLessThan(10)
    await reader?.cancel()
  })

  it('says which text is missing, and contains the others', async () => {
    const own = await account()
    const [lost, kept] = [await create('lost', {}, own), await create('kept', {}, own)]
    await loseContent(lost.id)
    const files = await download(own)
    expect(files.get(`documents/${lost.id}/text-is-missing.txt`)).toContain('couldn’t be read')
    expect(files.get(`documents/${kept.id}/kept.txt`)).toBe('kept')
  })

  it.each(['?part=x', '?after=x', '?after=1-!', '?after=1-no', '?until=x'])(
    'is 404 for an invalid address: %s',
    async (query) => {
      const headers = await session(await account())
      expect((await send(ZIP + query, { headers })).status).toBe(404)
    },
  )

  it('is an attachment that no cache keeps', async () => {
    const own = await account()
    const response = await send(ZIP, { headers: await session(own) })
    await response.body?.cancel()
    expect(response.headers.get('Content-Type')).toBe('application/zip')
    expect(response.headers.get('Content-Disposition')).toMatch(
      new RegExp(`^attachment; filename="regent-${own.username}-\\d{4}-\\d\\d-\\d\\d-part-1\\.zip"$`),
    )
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })
})

interface Held {
  readonly id: string
  readonly token: string
}

const post = (path: string, documents: string, headers: Record<string, string> = { Origin: ORIGIN }) =>
  send(path, { method: 'POST', body: new URLSearchParams({ documents }), headers })

const format = (held: readonly Held[]) => held.map(({ id, token }) => `${id}.${token}`).join(' ')

async function downloadHeld(held: readonly Held[]) {
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
    const files = await downloadHeld([plain, burns])
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
    const files = await downloadHeld([own, ...missing])
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
    await loseContent(broken.id)
    const files = await downloadHeld([broken, fine])
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
