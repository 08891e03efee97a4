import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { DocumentWrite } from '../../src/documents/document.ts'
import { insertDocument } from '../../src/documents/write.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { create, createAnonymous, read } from '../support/client.ts'
import { findDocument } from '../support/storage/find-document.ts'

const db = new Database(env.DB, 5_000)

/** Inserts another document with the id of one that exists. Returns it; null if the id counts as taken. */
async function insertAgain(id: string, creatorId: string | null, keyHash: string | null) {
  const found = await findDocument(id)
  if (!found) throw new Error('there is no document')
  const write: DocumentWrite = {
    ...found,
    creatorId,
    tokenHash: null,
    editorIds: [],
    lastEditedById: null,
    contentHash: null,
    blockCheck: { address: null, contentHash: null, domains: [] },
    contentKey: 'content/another',
    version: 'another',
  }
  const keyed =
    keyHash === null ? null : { keyHash, requestHash: '', encryptedToken: null, expiresAt: 2 ** 50 }
  return insertDocument(db, write, { withGist: false, keyed, quotas: undefined })
}

it.each([false, true])(
  'an id that is taken gives nobody the document that has it (with a key: %s)',
  async (keyed) => {
    const [owner, other] = [await account(), await account()]
    const ids = [(await create('text', {}, { key: owner.key })).id, (await createAnonymous('text')).id]
    for (const id of ids) {
      for (const creatorId of [other.id, null]) {
        const keyHash = keyed ? crypto.randomUUID() : null
        expect(await insertAgain(id, creatorId, keyHash)).toEqual({ document: null, first: null })
        expect((await read(id)).body.data.content).toBe('text')
      }
    }
  },
)
