import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { hashContent } from '../../src/documents/block-check.ts'
import { addDocumentsByTokenHash } from '../../src/documents/document-tokens.ts'
import { addBlock, removeBlock } from '../../src/moderation/desk.ts'
import { Database } from '../../src/platform/database.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { account } from '../support/accounts.ts'
import { call, create, createAnonymous, edit, ORIGIN, read, send } from '../support/client.ts'
import { expectError } from '../support/expect.ts'
import { listReferencedKeys, listStoredKeys, NO_QUOTAS } from '../support/storage/contents.ts'

const db = new Database(env.DB, 5_000)

const block = (kind: 'address' | 'content' | 'domain', value: string) =>
  addBlock(db, { kind, value, reason: 'why', by: 'operator', now: Date.now() })

const from = (address: string) => ({ 'CF-Connecting-IP': address })

const hash = (text: string) => hashContent(new TextEncoder().encode(text))

const BLOCKED_CONTENT = "This content was removed from this server and can't be shared here again"
const BLOCKED_DOMAIN = 'The content links to a domain that is blocked on this server'
const BLOCKED_ADDRESS = 'Your network is blocked from sharing on this server'

/** Shares a text through each of the front ends. Returns the status and what the answer says. */
async function share(text: string, headers: Record<string, string> = {}) {
  const requests = {
    api: { path: '/v1/document', body: JSON.stringify({ content: text }), type: 'application/json' },
    text: { path: '/', body: text, type: 'text/plain' },
    page: { path: '/', body: new URLSearchParams({ content: text }), browser: true },
  }
  const answers: Record<string, { status: number; text: string }> = {}
  for (const [name, { path, body, ...rest }] of Object.entries(requests)) {
    const response = await send(path, {
      method: 'POST',
      body,
      headers: {
        ...('type' in rest && { 'Content-Type': rest.type }),
        ...('browser' in rest && { Origin: ORIGIN, Accept: 'text/html' }),
        ...headers,
      },
    })
    answers[name] = { status: response.status, text: await response.text() }
  }
  return answers
}

const refusals = (words: RegExp) => ({
  api: { status: 403, text: expect.stringMatching(words) },
  text: { status: 403, text: expect.stringMatching(words) },
  page: { status: 403, text: expect.stringMatching(words) },
})

const getStatuses = (answers: Record<string, { status: number }>) =>
  Object.values(answers).map(({ status }) => status)

describe('blocked content', () => {
  it('is refused in all three front ends, and nothing of it is kept', async () => {
    const text = 'a dump of personal data'
    await block('content', await hash(text))
    const before = await listStoredKeys()
    expect(await share(text)).toEqual(refusals(/removed from this server/))
    await expect.poll(listStoredKeys).toEqual(before)
    expect(getStatuses(await share(`${text}!`))).toEqual([200, 201, 200])
  })

  it('is refused as an edit, which leaves the document as it was', async () => {
    const { key } = await account()
    await block('content', await hash('forbidden'))
    const { id } = await create('allowed', {}, { key })
    const answer = await edit({ id, content: 'forbidden' }, { key, settle: true })
    expectError(answer, 403, BLOCKED_CONTENT)
    expect((await read(id)).body.data.content).toBe('allowed')
    await expect.poll(async () => (await listStoredKeys()).length).toBe((await listReferencedKeys()).length)
  })

  it('is refused as a restored revision, which leaves the document as it was', async () => {
    const { key } = await account()
    const { id } = await create('blocked since', {}, { key })
    await edit({ id, content: 'allowed' }, { key })
    await block('content', await hash('blocked since'))
    const path = `/v1/document/${id}/revisions`
    const answer = await call('POST', `${path}/1/restore`, undefined, { key, settle: true })
    expectError(answer, 403, BLOCKED_CONTENT)
    expect((await read(id)).body.data.content).toBe('allowed')
    const { revisions } = (await call<{ revisions: object[] }>('GET', path, undefined, { key })).body.data
    expect(revisions).toMatchObject([{ number: 2, current: true }, { number: 1 }])
    await expect.poll(async () => (await listStoredKeys()).length).toBe((await listReferencedKeys()).length)
  })

  it('is refused where the service would encrypt it', async () => {
    const { key } = await account()
    await block('content', await hash('to be encrypted'))
    const answer = await call(
      'POST',
      '/v1/document',
      { content: 'to be encrypted', settings: { encrypted: true } },
      { key },
    )
    expectError(answer, 403, BLOCKED_CONTENT)
  })

  it('can be shared again once the block is lifted', async () => {
    const value = await hash('blocked by mistake')
    await block('content', value)
    expectError(await call('POST', '/v1/document', { content: 'blocked by mistake' }), 403, BLOCKED_CONTENT)
    await removeBlock(db, { kind: 'content', value, by: 'operator', now: Date.now() })
    await create('blocked by mistake')
  })

  it('has its hash stored with each document that is not encrypted', async () => {
    const { key } = await account()
    const findHash = (id: string) =>
      env.DB.prepare('SELECT content_hash FROM documents WHERE id = ?1').bind(id).first('content_hash')
    const { id } = await create('first', {}, { key })
    expect(await findHash(id)).toBe(await hash('first'))
    await edit({ id, content: 'second' }, { key })
    expect(await findHash(id)).toBe(await hash('second'))
    await env.DB.prepare('UPDATE documents SET content_hash = NULL WHERE id = ?1').bind(id).run()
    await edit({ id, settings: { image_embed: true } }, { key })
    expect(await findHash(id)).toBe(await hash('second'))
    const encrypted = await create('first', { encrypted: true }, { key })
    expect(await findHash(encrypted.id)).toBeNull()
  })
})

describe('a blocked domain', () => {
  it('is refused in all three front ends, with its subdomains', async () => {
    await block('domain', 'Phishing.example')
    for (const link of [
      'http://phishing.example',
      'see https://login.phishing.example:8443/path',
      'HTTPS://user@PHISHING.example.?x',
      `${'https://fine.example/ '.repeat(1000)}(https://phishing.example)`,
      '[x](https&colon;//phishing&#46;example/p)',
      'www.phishing.example, please',
    ]) {
      expect(await share(link)).toEqual(refusals(/links to a/))
    }
  })

  it('can’t hide behind more links than are parsed, in any of the front ends', async () => {
    await block('domain', 'phishing.example')
    const hosts = Array.from({ length: 10_000 }, (_, n) => `https://b\u00FCcher${n}.example/`)
    const refused = { status: 400, text: expect.stringMatching(/too many links to check/) }
    expect(await share(hosts.join('\n'))).toEqual({ api: refused, text: refused, page: refused })
    expect(getStatuses(await share(hosts.slice(0, 5_000).join('\n')))).toEqual([200, 201, 200])
  })

  it('leaves other links, other domains and words as they are', async () => {
    await block('domain', 'evil.example')
    for (const text of [
      'https://notevil.example/',
      'https://evil.example.org/',
      'https://fine.example/?to=evil.example',
      'evil.example',
    ]) {
      await create(text)
    }
  })

  it('is refused as an edit, but settings of a document that links to it can change', async () => {
    const { key } = await account()
    const { id } = await create('https://later.example/', {}, { key })
    await block('domain', 'later.example')
    expect((await edit({ id, settings: { image_embed: true } }, { key })).status).toBe(200)
    expectError(await edit({ id, content: 'https://later.example/2' }, { key }), 403, BLOCKED_DOMAIN)
  })

  it('is found behind any number of other links, and nothing of the text is kept', async () => {
    const { key } = await account()
    await block('domain', 'hidden.example')
    const { id } = await create('allowed', {}, { key })
    const comment = `<!-- ${Array.from({ length: 5_000 }, (_, n) => `http://a${n}`).join(' ')} -->`
    const labels = Array.from({ length: 5_000 }, (_, n) => `https://${`a${n}.`.repeat(20)}example`).join('\n')
    for (const links of [comment, labels]) {
      const before = await listStoredKeys()
      expect(await share(`${links}\nhttps://www.hidden.example/`)).toEqual(refusals(/links to a/))
      expectError(
        await edit({ id, content: `${links} https://hidden.example` }, { key }),
        403,
        BLOCKED_DOMAIN,
      )
      await expect.poll(listStoredKeys).toEqual(before)
      expect(getStatuses(await share(links))).toEqual([200, 201, 200])
      expect((await edit({ id, content: links }, { key })).status).toBe(200)
    }
  })

  it('is found among more than one page of them', async () => {
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
        INSERT INTO blocks (kind, value, reason, created_by, created_at)
          SELECT 'domain', 'blocked' || n || '.example', 'why', 'operator', 1 FROM numbers`,
    ).run()
    await block('domain', 'zzz.example')
    const links = Array.from({ length: 1_001 }, (_, n) => `https://a${n}.example`).join('\n')
    for (const link of ['https://blocked7.example', 'https://zzz.example']) {
      expectError(await call('POST', '/v1/document', { content: `${links}\n${link}` }), 403, BLOCKED_DOMAIN)
    }
    await create(links)
  })

  it('compares international names in punycode', async () => {
    await block('domain', 'bücher.example')
    for (const content of ['https://bücher.example', 'https://xn--bcher-kva.example/x']) {
      expectError(await call('POST', '/v1/document', { content }), 403, BLOCKED_DOMAIN)
    }
  })
})

describe('a blocked address range', () => {
  it('is refused in all three front ends, with and without an account', async () => {
    await block('address', '192.0.2.0/24')
    expect(await share('x', from('192.0.2.77'))).toEqual(refusals(/network is blocked/))
    const { key } = await account()
    expectError(
      await call('POST', '/v1/document', { content: 'x' }, { key, headers: from('192.0.2.1') }),
      403,
      BLOCKED_ADDRESS,
    )
    expect(getStatuses(await share('x', from('192.0.3.77')))).toEqual([200, 201, 200])
  })

  it('is refused as an edit, and can still read', async () => {
    await block('address', '2001:db8:aaaa::/48')
    const own = await createAnonymous('x')
    const headers = { ...own.headers, ...from('2001:db8:aaaa:1::5') }
    expectError(await edit({ id: own.id, content: 'y' }, { headers }), 403, BLOCKED_ADDRESS)
    expect((await read(own.id, { headers: from('2001:db8:aaaa:1::5') })).status).toBe(200)
    expect((await edit({ id: own.id, content: 'y' }, { headers: own.headers })).status).toBe(200)
  })
})

describe('the address of a creator', () => {
  const findAddress = (id: string) =>
    env.DB.prepare('SELECT creator_address FROM documents WHERE id = ?1').bind(id).first('creator_address')

  it('is stored for documents without an account, of IPv6 only the /64', async () => {
    const { id } = await create('x', undefined, { headers: from('2001:db8:1:2:3:4:5:6') })
    expect(await findAddress(id)).toBe('20010db8000100020000000000000000')
    const old = await create('x', undefined, { headers: from('198.51.100.7') })
    expect(await findAddress(old.id)).toBe('00000000000000000000ffffc6336407')
  })

  it('is not stored for documents of accounts, nor where it is unknown', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key, headers: from('198.51.100.7') })
    expect(await findAddress(id)).toBeNull()
    expect(await findAddress((await create('x')).id)).toBeNull()
  })

  it('is forgotten when an account takes the document over', async () => {
    const own = await createAnonymous('x', undefined, { headers: from('198.51.100.7') })
    const creator = await account()
    await addDocumentsByTokenHash(db, [{ id: own.id, tokenHash: await hashSecret(own.token) }], {
      creatorId: creator.id,
      now: Date.now(),
      quotas: NO_QUOTAS,
    })
    expect(await findAddress(own.id)).toBeNull()
  })
})
