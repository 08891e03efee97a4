import { env } from 'cloudflare:workers'
import { EXAMPLE_BOOKMARK } from '../../../src/api/openapi/parameters-and-headers.ts'
import { LIMITS } from '../../../src/http/limits-table.ts'
import { encodeText } from '../../../src/shared/encodings.ts'
import { deriveClaimToken, encryptJwe, hashClaimToken, parseJwe } from '../../../src/shared/jwe.ts'
import { account } from '../../support/accounts.ts'
import { withFailing } from '../../support/bindings.ts'
import { call, create, createAnonymous, remove, withVars } from '../../support/client.ts'
import type { Exchange } from './exchanges.ts'
import { exchangeRevisions } from './exchanges.ts'

const PASSWORD = 'correct horse battery staple'
const MISSING = 'xxxxxxxx'

/** Bindings that make every operation fail with 500. */
export const BROKEN = withVars({ MAX_CONTENT_BYTES: 'many' })
/** Bindings that make every operation with storage fail with 503. */
export const UNREACHABLE = withFailing('all', 'Network connection lost.')
/** Bindings that make every operation fail with 429. */
export const THROTTLED = {
  ...withVars({ RATE_LIMITS: 'on' }),
  ...Object.fromEntries(
    Object.values(LIMITS).map(({ binding }) => [binding, { limit: async () => ({ success: false }) }]),
  ),
}
const SMALL = withVars({ MAX_CONTENT_BYTES: '3' })
const LEGACY = withVars({ LEGACY_CLIENTS: 'on' })

/** A body that is larger than `SMALL` allows. */
const LARGE = 'x'.repeat(100_000)

const createJwe = (bytes: Uint8Array) => encryptJwe(bytes, PASSWORD, 1_000)

/** Returns the settings of an encrypted burn-after-reading document whose password the server doesn't know. */
async function claimable() {
  const jwe = await createJwe(encodeText('secret'))
  const token = await deriveClaimToken(PASSWORD, parseJwe(jwe).header)
  const settings = {
    encrypted: true,
    client_encrypted: true,
    instant_delete: true,
    claim_hash: await hashClaimToken(token),
  }
  return { jwe, token, settings }
}

const FILES = [
  { name: 'main.py', content: 'print(1)\n' },
  { name: 'LICENSE', content: 'Hello', language: 'markdown' },
]

async function createDocuments(exchange: Exchange): Promise<void> {
  const { key } = await account()
  const editor = await account()
  const unconfirmed = await account({ confirmed: false })
  const content = 'Hello'
  await exchange('createDocument', { body: { content } })
  await exchange('createDocument', { body: { files: FILES } })
  const readOnly = await account({ scope: 'read' })
  await exchange('createDocument', { key: readOnly.key, body: { content } })
  await exchange('createDocument', {
    key,
    body: {
      content,
      duplicated_from: 'k3Tn8vWz',
      infer_settings: false,
      settings: {
        title: 'notes.md',
        language: 'markdown',
        expiration: 1,
        image_embed: true,
        public: true,
        revisions: false,
        short_urls: true,
        long_urls: true,
        create_gist: false,
        editors: [editor.username],
        name: 'report',
        infer_settings: true,
      },
    },
  })
  await exchange('createDocument', { key, body: { content, settings: { name: 'report' } } })
  await exchange('createDocument', { key, body: { content, settings: { encrypted: true } } })
  await exchange('createDocument', {
    key,
    body: { content, settings: { encrypted: true } },
    bindings: LEGACY,
  })
  await exchange('createDocument', {
    key,
    body: { content, settings: { encrypted: true, password: PASSWORD } },
  })
  const { jwe, settings } = await claimable()
  await exchange('createDocument', { key, body: { content: jwe, settings } })
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  await exchange('createDocument', { key, headers, body: { content } })
  await exchange('createDocument', { key, headers, body: { content: 'Something else' } })
  const removed = { key, headers: { 'Idempotency-Key': crypto.randomUUID() } }
  await remove((await create(content, {}, removed)).id, { key })
  await exchange('createDocument', { ...removed, body: { content, settings: {} } })
  await exchange('createDocument', { body: {} })
  await exchange('createDocument', { body: { content, settings: { language: 'json' } } })
  await exchange('createDocument', {
    key: unconfirmed.key,
    body: { content, settings: { language: 'json' } },
  })
  await exchange('createDocument', { body: { content }, bindings: SMALL })
  await exchange('createDocument', { body: { content }, headers: { 'Content-Type': 'text/plain' } })
}

/** Exceeds quotas, and creates a document without an account while that's switched off. */
async function exceedQuotas(exchange: Exchange): Promise<void> {
  const { key } = await account()
  const { id } = await create('Hello', {}, { key })
  const longer = { id, content: 'Hello again' }
  for (const name of ['ACCOUNT_MAX_BYTES', 'SERVER_MAX_BYTES']) {
    await exchange('createDocument', { key, body: { content: 'Hello' }, bindings: withVars({ [name]: '1' }) })
    await exchange('editDocument', { key, body: longer, bindings: withVars({ [name]: '1' }) })
  }
  await env.DB.exec("INSERT INTO switches VALUES ('anonymous_documents', 'refuse', 0)")
  await exchange('createDocument', { body: { content: 'Hello' }, bindings: withVars({}) })
  await env.DB.exec('DELETE FROM switches')
}

/** Reads documents with GET (`readDocument`) or HEAD (`checkDocument`). */
async function readDocuments(exchange: Exchange, id: 'readDocument' | 'checkDocument'): Promise<void> {
  const { key } = await account()
  const anonymous = await createAnonymous('Hello')
  const params = { id: anonymous.id }
  const { headers } = await exchange(id, { params })
  await exchange(id, { params, key })
  await exchange(id, { params, token: anonymous.token })
  const conditional = { 'If-None-Match': headers.get('ETag') ?? '', 'X-Bookmark': EXAMPLE_BOOKMARK }
  await exchange(id, { params, headers: conditional })
  await exchange(id, { params: { id: MISSING } })
  const original = (await create('Hello', { public: true }, { key })).id
  const duplicate = { content: 'Hello', duplicated_from: original }
  await exchange(id, { params: { id: (await call('POST', '/v1/document', duplicate)).body.data.id } })
  const encrypted = { id: (await create('Hello', { encrypted: true, password: PASSWORD }, { key })).id }
  await exchange(id, { params: encrypted, password: PASSWORD })
  await exchange(id, { params: encrypted, query: { password: PASSWORD } })
  await exchange(id, { params: encrypted, password: 'wrong' })
  const burning = await create('Hello', { encrypted: true, instant_delete: true }, { key })
  await exchange(id, { params: { id: burning.id } })
  const binary = await create(
    await createJwe(new Uint8Array([0xff, 0xfe])),
    { encrypted: true, client_encrypted: true },
    { key },
  )
  await exchange(id, { params: { id: binary.id }, password: PASSWORD })
}

async function editDocuments(exchange: Exchange): Promise<void> {
  const [creator, editor, stranger] = await Promise.all([account(), account(), account()])
  const unconfirmed = await account({ confirmed: false })
  const { key } = creator
  const { id } = await create('Hello', { editors: [editor.username] }, { key })
  const several = await create('Hello', {}, { key })
  await exchange('editDocument', { key, body: { id: several.id, files: FILES } })
  const edit = (body: object, more: object = { key }) => exchange('editDocument', { body, ...more })
  await edit({
    id,
    content: 'Hello again',
    password: null,
    settings: {
      title: 'notes.md',
      language: 'json',
      expiration: null,
      image_embed: true,
      instant_delete: false,
      public: true,
      revisions: false,
      client_encrypted: false,
      claim_hash: null,
      editors: [editor.username, unconfirmed.username],
      encrypted: false,
      password: null,
      long_urls: false,
      short_urls: false,
      create_gist: false,
    },
  })
  const anonymous = await createAnonymous('Hello')
  const withToken = { token: anonymous.token }
  await edit({ id: anonymous.id, content: 'Hello again' }, withToken)
  await edit({ id: several.id, settings: { name: 'report' } })
  await edit({ id, settings: { name: 'report' } })
  await edit({ id, settings: { name: 'theirs' } }, { key: editor.key })
  await edit({ id: anonymous.id, settings: { public: true } }, withToken)
  await edit({ id: anonymous.id, settings: { name: 'report' } }, withToken)
  await edit({ id: anonymous.id, settings: { editors: [editor.username] } }, withToken)
  await edit({ id, settings: { encrypted: 1 } })
  await edit({ id }, {})
  await edit({ id, content: 'x' }, { key: stranger.key })
  await edit({ id, content: 'x' }, { key: (await account({ scope: 'read' })).key })
  await edit({ id, settings: { language: 'json' } }, { key: unconfirmed.key })
  await edit({ id, settings: { editors: [] } }, { key: editor.key })
  await edit({ id, settings: { instant_delete: true } }, { key: editor.key })
  await edit({ id: MISSING, content: 'x' })
  const { headers } = await exchange('readDocument', { params: { id } })
  await edit({ id, content: 'x' }, { key, headers: { 'If-Match': headers.get('ETag') } })
  await edit({ id, content: 'y' }, { key, headers: { 'If-Match': '"json-old"' } })
  await edit({ id, content: 'Hello' }, { key, bindings: SMALL })
  await edit({ id }, { key, headers: { 'Content-Type': 'text/plain' } })
  const encrypted = await create('Hello', { encrypted: true, password: PASSWORD }, { key })
  await edit({ id: encrypted.id, content: 'x', password: PASSWORD })
  await edit({ id: encrypted.id, content: 'x', password: 'wrong' })
  await edit({ id: encrypted.id, settings: { editors: [editor.username] } })
  const byEditor = {
    id: encrypted.id,
    content: await createJwe(new Uint8Array([1])),
    settings: { client_encrypted: true },
  }
  await edit(byEditor, { key: editor.key })
  await edit({ ...byEditor, claim_token: 'A'.repeat(43) }, { key: editor.key })
  await edit({ ...byEditor, claim_token: 'A'.repeat(43) })
  await edit({ id: encrypted.id, content: 'x' })
  const binary = await createJwe(new Uint8Array([0xff, 0xfe]))
  const unreadable = await create(binary, { encrypted: true, client_encrypted: true }, { key })
  await edit({ id: unreadable.id, content: 'x', password: PASSWORD })
}

async function deleteDocuments(exchange: Exchange): Promise<void> {
  const [creator, stranger] = await Promise.all([account(), account()])
  const { key } = creator
  const document = async () => ({ params: { id: (await create('Hello', {}, { key })).id } })
  await exchange('deleteDocument', { ...(await document()), key })
  await exchange('deleteDocument', { ...(await document()), key, bindings: LEGACY })
  const { id, token } = await createAnonymous('Hello')
  await exchange('deleteDocument', { params: { id }, token })
  await exchange('deleteDocument', await document())
  await exchange('deleteDocument', { ...(await document()), key: stranger.key })
  const readOnly = await account({ scope: 'read' })
  await exchange('deleteDocument', { ...(await document()), key: readOnly.key })
  await exchange('deleteDocument', { params: { id: MISSING }, key })
}

async function claimDocuments(exchange: Exchange): Promise<void> {
  const { key } = await account()
  const document = async () => {
    const { jwe, token, settings } = await claimable()
    return { params: { id: (await create(jwe, settings, { key })).id }, body: { token } }
  }
  const { params, body } = await document()
  await exchange('readClaimHeader', { params })
  await exchange('readClaimHeader', { params: { id: MISSING } })
  await exchange('claimDocument', { params, body: {} })
  await exchange('claimDocument', { params, body: { token: 'x'.repeat(43) } })
  await exchange('claimDocument', { params, body, headers: { 'Content-Type': 'text/plain' } })
  await exchange('claimDocument', { params, body: { token: LARGE }, bindings: SMALL })
  await exchange('claimDocument', { params, body, key })
  await exchange('claimDocument', { ...(await document()) })
  const { jwe, token, settings } = await claimable()
  const anonymous = await createAnonymous(jwe, settings, {
    bindings: withVars({ ANONYMOUS_SETTINGS: 'allow' }),
  })
  await exchange('claimDocument', { params: { id: anonymous.id }, body: { token }, token: anonymous.token })
  await exchange('claimDocument', { params: { id: MISSING }, body })
}

/** Makes every operation on documents return each of its possible responses. */
export async function exchangeDocuments(exchange: Exchange): Promise<void> {
  await createDocuments(exchange)
  await exceedQuotas(exchange)
  await readDocuments(exchange, 'readDocument')
  await readDocuments(exchange, 'checkDocument')
  await editDocuments(exchange)
  await deleteDocuments(exchange)
  await claimDocuments(exchange)
  await exchangeRevisions(exchange)
}
