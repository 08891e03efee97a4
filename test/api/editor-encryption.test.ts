import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deriveClaimToken, encryptText, hashClaimToken, parseJwe } from '../../src/shared/jwe.ts'
import { type Account, account } from '../support/accounts.ts'
import { type Answer, create, edit, read } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const PASSWORD = 'right password'
const PROOF_REQUIRED = 'Prove the password to replace encrypted content'

const encrypt = (text: string, password = PASSWORD) => encryptText({ text, password, generated: true })

const deriveProof = (jwe: string, password = PASSWORD) => deriveClaimToken(password, parseJwe(jwe).header)

interface Shared {
  readonly id: string
  readonly jwe: string
  readonly creator: Account
  readonly editor: Account
}

/** Creates a document with an editor, encrypted by the client. */
async function shareEncrypted(settings: Record<string, unknown> = {}): Promise<Shared> {
  const [creator, editor] = [await account(), await account()]
  const { jwe, claimHash } = await encrypt('secret')
  const encrypted = { encrypted: true, client_encrypted: true, claim_hash: claimHash }
  const { id } = await create(jwe, { ...encrypted, editors: [editor.username], ...settings }, creator)
  return { id, jwe, creator, editor }
}

/** Replaces the content by a JWE that the client made. */
async function replace(
  { id }: Shared,
  { key }: Account,
  { token, headers = {} }: { token?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Answer & { jwe: string }> {
  const { jwe, claimHash } = await encrypt('changed')
  const settings = { client_encrypted: true, claim_hash: claimHash }
  const answer = await edit({ id, content: jwe, claim_token: token, settings }, { key, headers })
  return { ...answer, jwe }
}

const readAs = async ({ id }: Shared, { key }: Account) => (await read(id, { key })).body.data.content

describe('an editor who replaces encrypted content by a JWE', () => {
  it.each([{}, { instant_delete: true }])(
    'is refused without a proof of the password: %o',
    async (settings) => {
      const shared = await shareEncrypted(settings)
      expectError(await replace(shared, shared.editor), 403, PROOF_REQUIRED)
      expect(await readAs(shared, shared.editor)).toBe(shared.jwe)
    },
  )

  it.each([{}, { instant_delete: true }])('is refused with a wrong proof: %o', async (settings) => {
    const shared = await shareEncrypted(settings)
    const token = await deriveProof(shared.jwe, 'wrong password')
    expectError(await replace(shared, shared.editor, { token }), 400, 'Invalid password')
    expect(await readAs(shared, shared.editor)).toBe(shared.jwe)
  })

  it.each([{}, { instant_delete: true }])(
    'succeeds with the claim token of the present JWE, once: %o',
    async (settings) => {
      const shared = await shareEncrypted(settings)
      const token = await deriveProof(shared.jwe)
      const saved = await replace(shared, shared.editor, { token })
      expect(saved.status).toBe(200)
      expect(await readAs(shared, shared.editor)).toBe(saved.jwe)
      // The next edit needs the claim token of the new JWE.
      expectError(await replace(shared, shared.editor, { token }), 400, 'Invalid password')
      const again = await replace(shared, shared.editor, { token: await deriveProof(saved.jwe) })
      expect(again.status).toBe(200)
    },
  )

  it('gets a 412 rather than a 400 if somebody saved first', async () => {
    const shared = await shareEncrypted()
    const token = await deriveProof(shared.jwe)
    await replace(shared, shared.creator)
    const headers = { 'If-Match': '"json-outdated"' }
    expect((await replace(shared, shared.editor, { token, headers })).status).toBe(412)
  })

  it('is refused if the document was created without a claim hash', async () => {
    const shared = await shareEncrypted({ claim_hash: null })
    const token = await deriveProof(shared.jwe)
    expectError(await replace(shared, shared.editor, { token }), 403, PROOF_REQUIRED)
    // Once the creator has saved it with one, the editor can.
    const saved = await replace(shared, shared.creator)
    const answer = await replace(shared, shared.editor, { token: await deriveProof(saved.jwe) })
    expect(answer.status).toBe(200)
  })

  it('is refused if the creator replaced the JWE without a claim hash', async () => {
    const shared = await shareEncrypted()
    const { jwe } = await encrypt('changed')
    const body = { id: shared.id, content: jwe, settings: { client_encrypted: true } }
    expect((await edit(body, shared.creator)).status).toBe(200)
    expectError(await replace(shared, shared.editor, { token: await deriveProof(jwe) }), 403, PROOF_REQUIRED)
  })

  it('succeeds if the service encrypted the content', async () => {
    const [creator, editor] = [await account(), await account()]
    const settings = { encrypted: true, password: PASSWORD, editors: [editor.username] }
    const { id } = await create('secret', settings, creator)
    const shared = { id, jwe: (await read(id)).body.data.content, creator, editor }
    const saved = await replace(shared, editor, { token: await deriveProof(shared.jwe) })
    expect(saved.status).toBe(200)
  })
})

describe('an editor of encrypted content', () => {
  it('can send the password instead, and then prove it', async () => {
    const shared = await shareEncrypted({ claim_hash: null })
    const { id, editor } = shared
    expectError(await edit({ id, content: 'new', password: 'wrong' }, editor), 400, 'Invalid password')
    const saved = await edit({ id, content: 'new', password: PASSWORD }, editor)
    expect(saved.status).toBe(200)
    const token = await deriveProof(await readAs(shared, editor))
    expect((await replace(shared, editor, { token })).status).toBe(200)
  })

  it('cannot replace the claim hash, which would keep every reader out', async () => {
    const shared = await shareEncrypted({ instant_delete: true })
    const { id, editor } = shared
    const settings = { claim_hash: 'A'.repeat(43) }
    expectError(await edit({ id, settings }, editor), 403, PROOF_REQUIRED)
    // The present one is no change.
    const same = { claim_hash: await hashClaimToken(await deriveProof(shared.jwe)) }
    expect((await edit({ id, settings: same }, editor)).status).toBe(200)
  })

  it('can change settings without a proof', async () => {
    const { id, editor } = await shareEncrypted()
    expect((await edit({ id, settings: { language: 'json' } }, editor)).status).toBe(200)
  })
})

describe('the creator', () => {
  it('can replace encrypted content without a proof', async () => {
    const shared = await shareEncrypted()
    expect((await replace(shared, shared.creator)).status).toBe(200)
  })
})

describe('a claim token', () => {
  it('is refused for a document that is not encrypted, and in the wrong shape', async () => {
    const creator = await account()
    const { id } = await create('text', {}, creator)
    expectInvalid(await edit({ id, content: 'x', claim_token: 'A'.repeat(43) }, creator), ['claim_token'])
    expectInvalid(await edit({ id, content: 'x', claim_token: 'short' }, creator), ['claim_token'])
  })

  it('is stored as its hash only', async () => {
    const shared = await shareEncrypted()
    const token = await deriveProof(shared.jwe)
    const row = await env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(shared.id).first()
    expect(row?.proof_hash).toBe(await hashClaimToken(token))
    expect(JSON.stringify(row)).not.toContain(token)
  })
})
