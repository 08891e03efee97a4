import { encryptJwe } from '../../../src/shared/jwe.ts'
import { account } from '../../support/accounts.ts'
import { create, createAnonymous, edit, withVars } from '../../support/client.ts'
import type { Exchange } from './exchanges.ts'

const PASSWORD = 'correct horse battery staple'

/** Makes every operation on revisions return each of its possible responses. */
export async function exchangeRevisions(exchange: Exchange): Promise<void> {
  const [creator, editor, stranger] = await Promise.all([account(), account(), account()])
  const readOnly = await account({ scope: 'read' })
  const { key } = creator
  const { id } = await create('Hello', { editors: [editor.username] }, { key })
  await edit({ id, content: 'x' }, { key })
  const revision = { params: { id, number: '1' } }
  const document = { params: { id } }
  await exchange('listRevisions', { ...document, key })
  await exchange('listRevisions', document)
  await exchange('readRevision', { ...revision, key })
  await exchange('readRevision', { ...revision, key: stranger.key })
  for (const name of ['ACCOUNT_MAX_BYTES', 'SERVER_MAX_BYTES']) {
    await exchange('restoreRevision', { ...revision, key, bindings: withVars({ [name]: '1' }) })
  }
  await exchange('restoreRevision', { ...revision, key, headers: { 'If-Match': '*' } })
  await exchange('restoreRevision', { ...revision, key, headers: { 'If-Match': '"json-old"' } })
  await exchange('restoreRevision', { params: { id, number: '9' }, key })
  await exchange('restoreRevision', revision)
  await exchange('restoreRevision', { ...revision, key: readOnly.key })
  await exchange('deleteRevisions', document)
  await exchange('deleteRevisions', { ...document, key: readOnly.key })
  await exchange('deleteRevisions', { ...document, key: editor.key })
  await exchange('deleteRevisions', { ...document, key: stranger.key })
  await exchange('deleteRevisions', { ...document, key })

  const anonymous = await createAnonymous('Hello')
  const { token } = anonymous
  await edit({ id: anonymous.id, content: 'x' }, { headers: anonymous.headers })
  const first = { params: { id: anonymous.id, number: '1' }, token }
  await exchange('listRevisions', { params: { id: anonymous.id }, token })
  await exchange('readRevision', first)
  await exchange('restoreRevision', first)
  await exchange('deleteRevisions', { params: { id: anonymous.id }, token })

  const settings = { encrypted: true, password: PASSWORD, editors: [editor.username] }
  const encrypted = await create('Hello', settings, { key })
  await edit({ id: encrypted.id, content: 'x', password: PASSWORD }, { key })
  const secret = { params: { id: encrypted.id, number: '1' } }
  const withPassword = (password: string) => ({ headers: { 'X-Document-Password': password } })
  await exchange('readRevision', { ...secret, key, ...withPassword(PASSWORD) })
  await exchange('readRevision', { ...secret, key, query: { password: PASSWORD } })
  await exchange('readRevision', { ...secret, key, ...withPassword('wrong') })
  await exchange('restoreRevision', { ...secret, key: editor.key })
  await exchange('restoreRevision', { ...secret, key: editor.key, ...withPassword('wrong') })
  await exchange('restoreRevision', { ...secret, key: editor.key, ...withPassword(PASSWORD) })
  const binary = await create(
    await encryptJwe(new Uint8Array([0xff, 0xfe]), PASSWORD, 1_000),
    { encrypted: true, client_encrypted: true },
    { key },
  )
  const unreadable = { params: { id: binary.id, number: '1' }, key }
  await exchange('readRevision', { ...unreadable, ...withPassword(PASSWORD) })
}
