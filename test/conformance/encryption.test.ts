import { describe, expect } from 'vitest'
import { clause, shareDocument } from './support/clause.ts'
import { decrypt, encrypt, PASSWORD, readHeader } from './support/encryption.ts'
import { expectContent, expectError, expectInvalid } from './support/expect.ts'

const TEXT = 'attack at dawn 😀\r\n'
const CLIENT_ENCRYPTED = { encrypted: true, client_encrypted: true }

const inQuery = (id: string, password: string) => `${id}?password=${encodeURIComponent(password)}`
const inHeader = (password: string) => ({ headers: { 'X-Document-Password': password } })

/** Clauses don't count its views. */
const anEncryptedDocument = shareDocument((api) => api.create(api.needAccount(), TEXT, { encrypted: true }))

describe('Encryption by the server', () => {
  clause('encryption.create', 'The response to a create contains the plain text', async (api) => {
    const created = await api.create(api.needAccount(), TEXT, { encrypted: true })
    expect(created).toMatchObject({ content: TEXT, views: 0, settings: { encrypted: true } })
  })

  clause('encryption.generated', 'A generated password is returned once, as data.password', async (api) => {
    const key = api.needAccount()
    for (const password of [undefined, null, '']) {
      const created = await api.create(key, TEXT, { encrypted: true, password })
      expect(created.password).toMatch(/^.{24,}$/)
      const { document } = await api.read(inQuery(created.id, created.password ?? ''))
      expect(document.content).toBe(TEXT)
      expect(document).not.toHaveProperty('password')
    }
  })

  clause('encryption.chosen', 'A password that the request chose is never returned', async (api) => {
    api.needServer(!api.target.legacyClients, 'a server without LEGACY_CLIENTS')
    const answer = await api.post(
      { content: TEXT, settings: { encrypted: true, password: 'a password of mine' } },
      { key: api.needAccount() },
    )
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('a password of mine')
  })

  clause(
    'encryption.jwe',
    'Without a password, a read returns a JWE that the password decrypts',
    async (api) => {
      const created = await anEncryptedDocument(api)
      const { content } = (await api.read(created.id)).document
      expect(readHeader(content)).toMatchObject({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM' })
      expect(await decrypt(content, created.password ?? '')).toBe(TEXT)
      expect((await api.readRaw(created.id)).text).toBe(content)
    },
  )

  clause(
    'encryption.iterations',
    'With a chosen password, the JWE uses 100,000 iterations and 16 bytes of salt',
    async (api) => {
      const { id } = await api.create(api.needAccount(), TEXT, { encrypted: true, password: PASSWORD })
      const { p2c, p2s } = readHeader((await api.read(id)).document.content)
      expect(p2c).toBe(100_000)
      expect(Buffer.from(String(p2s), 'base64url').byteLength).toBeGreaterThanOrEqual(16)
    },
  )

  clause(
    'encryption.read',
    'The password, in the query or a header, decrypts the document and its raw text',
    async (api) => {
      const { id, password = '' } = await anEncryptedDocument(api)
      expectContent(await api.read(inQuery(id, password)), TEXT)
      expectContent(await api.read(id, inHeader(password)), TEXT)
      expect((await api.readRaw(inQuery(id, password))).text).toBe(TEXT)
      expect((await api.readRaw(id, inHeader(password))).text).toBe(TEXT)
    },
  )

  clause(
    'encryption.characters',
    'A password may have any characters, and the query takes all of them',
    async (api) => {
      const password = 'pässwörd 😀 & more'
      const { id } = await api.create(api.needAccount(), TEXT, { encrypted: true, password })
      expectContent(await api.read(inQuery(id, password)), TEXT)
      expect(await decrypt((await api.read(id)).document.content, password)).toBe(TEXT)
    },
  )

  clause('encryption.wrong', 'A wrong password gets a 400 and counts no view', async (api) => {
    const { id, password = '' } = await api.create(api.needAccount(), TEXT, { encrypted: true })
    expectError(await api.read(inQuery(id, 'wrong')), 400, 'Invalid password')
    expectError(await api.read(id, inHeader('wrong')), 400, 'Invalid password')
    expect((await api.read(inQuery(id, password))).document.views).toBe(1)
  })

  clause('encryption.empty', 'On a read, an empty password counts as no password', async (api) => {
    const { id } = await anEncryptedDocument(api)
    expect((await api.read(`${id}?password=`)).document.content).toMatch(/^[\w-]+(\.[\w-]+){4}$/)
  })

  clause('encryption.password-alone', 'A password without encrypted gets a 400 at its path', async (api) => {
    const answer = await api.post({ content: TEXT, settings: { password: 'a' } }, { key: api.needAccount() })
    expectInvalid(answer, ['settings', 'password'])
  })

  clause('encryption.password-length', 'A password has at most 1,024 characters', async (api) => {
    const key = api.needAccount()
    const password = 'p'.repeat(1_024)
    const { id } = await api.create(key, TEXT, { encrypted: true, password })
    expectContent(await api.read(id, inHeader(password)), TEXT)
    const settings = { encrypted: true, password: `${password}p` }
    expectInvalid(await api.post({ content: TEXT, settings }, { key }), ['settings', 'password'])
  })
})

describe('Encryption by the client', () => {
  clause('client-encryption.stored', 'The JWE is stored and returned exactly as it was sent', async (api) => {
    const jwe = await encrypt(TEXT)
    const created = await api.create(api.needAccount(), jwe, CLIENT_ENCRYPTED)
    expect(created).toMatchObject({ content: jwe, settings: { encrypted: true } })
    expect(created).not.toHaveProperty('password')
    expectContent(await api.read(created.id), jwe)
  })

  clause(
    'client-encryption.decrypted',
    'The server decrypts the JWE if it gets the password',
    async (api) => {
      const { id } = await api.create(api.needAccount(), await encrypt(TEXT), CLIENT_ENCRYPTED)
      expectContent(await api.read(id, inHeader(PASSWORD)), TEXT)
      expectError(await api.read(id, inHeader('wrong')), 400, 'Invalid password')
    },
  )

  clause('client-encryption.iterations', 'A JWE may use 1,000 to 100,000 iterations', async (api) => {
    const key = api.needAccount()
    await api.create(key, await encrypt(TEXT, { iterations: 100_000 }), CLIENT_ENCRYPTED)
    for (const iterations of [999, 100_001]) {
      const content = await encrypt(TEXT, { iterations })
      expectInvalid(await api.post({ content, settings: CLIENT_ENCRYPTED }, { key }), ['content'])
    }
  })

  clause('client-encryption.algorithms', 'Other algorithms get a 400 at content', async (api) => {
    const key = api.needAccount()
    for (const options of [
      { algorithm: 'PBES2-HS256+A128KW' },
      { encryption: 'A128GCM' },
      { saltBytes: 8 },
    ]) {
      const content = await encrypt(TEXT, options)
      expectInvalid(await api.post({ content, settings: CLIENT_ENCRYPTED }, { key }), ['content'])
    }
  })

  clause('client-encryption.not-a-jwe', 'Content that is not a JWE gets a 400 at content', async (api) => {
    const key = api.needAccount()
    const jwe = await encrypt(TEXT)
    for (const content of [TEXT, jwe.slice(0, jwe.lastIndexOf('.')), `${jwe}.x`, 'a.b.c.d.e']) {
      expectInvalid(await api.post({ content, settings: CLIENT_ENCRYPTED }, { key }), ['content'])
    }
  })

  clause(
    'client-encryption.with-password',
    'A password together with client_encrypted gets a 400',
    async (api) => {
      const settings = { ...CLIENT_ENCRYPTED, password: PASSWORD }
      const answer = await api.post({ content: await encrypt(TEXT), settings }, { key: api.needAccount() })
      expectInvalid(answer, ['settings', 'client_encrypted'])
    },
  )

  clause('client-encryption.alone', 'client_encrypted without encrypted gets a 400', async (api) => {
    const settings = { client_encrypted: true }
    const answer = await api.post({ content: await encrypt(TEXT), settings }, { key: api.needAccount() })
    expectInvalid(answer, ['settings', 'client_encrypted'])
  })
})

describe('Editing encrypted documents', () => {
  clause('encrypted-edit.settings', 'Settings change as usual, and the JWE stays the same', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, TEXT, { encrypted: true })
    const { content } = (await api.read(id)).document
    const { document } = await api.edit({ id, settings: { language: 'css' } }, { key })
    expect(document.settings).toMatchObject({ language: 'css', encrypted: true })
    expectContent(await api.read(id), content)
  })

  clause('encrypted-edit.refused', 'New text without the password gets a 400', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, TEXT, { encrypted: true })
    const answer = await api.edit({ id, content: 'new' }, { key })
    expectError(answer, 400, 'You can not edit an encrypted document')
  })

  clause(
    'encrypted-edit.password',
    'New text with the password is encrypted with that password',
    async (api) => {
      const key = api.needAccount()
      const { id, password = '' } = await api.create(key, TEXT, { encrypted: true })
      expectError(await api.edit({ id, content: 'new', password: 'wrong' }, { key }), 400, 'Invalid password')
      expectContent(await api.edit({ id, content: 'new', password }, { key }), 'new')
      expectContent(await api.read(id, inHeader(password)), 'new')
      expect(await decrypt((await api.read(id)).document.content, password)).toBe('new')
    },
  )

  clause('encrypted-edit.jwe', 'A new JWE replaces the old one', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, TEXT, { encrypted: true })
    const content = await encrypt('new')
    expectContent(await api.edit({ id, content, settings: { client_encrypted: true } }, { key }), content)
    expectContent(await api.read(id, inHeader(PASSWORD)), 'new')
  })

  clause('encrypted-edit.plain', 'A JWE for a document that is not encrypted gets a 400', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const change = { id, content: await encrypt('new'), settings: { client_encrypted: true } }
    expectInvalid(await api.edit(change, { key }), ['settings', 'client_encrypted'])
    expectContent(await api.read(id), 'text')
  })
})
