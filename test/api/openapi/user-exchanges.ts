import { EXAMPLE_BOOKMARK } from '../../../src/api/openapi/headers.ts'
import { account } from '../../support/accounts.ts'
import { create, withVars } from '../../support/client.ts'
import type { Exchange } from './exchanges.ts'

interface DocumentPage {
  readonly data: { readonly cursor: string }
}

async function listDocuments(exchange: Exchange): Promise<void> {
  const { key } = await account()
  await create('# One', { title: 'one' }, { key })
  await create('# Two', {}, { key })
  await exchange('listRecentDocuments', { key })
  await exchange('listRecentDocuments')
  const query = { sort: 'title', search: 'o', shared: 'false', limit: '1' }
  const page: DocumentPage = await (await exchange('listDocuments', { key, query })).json()
  await exchange('listDocuments', { key, query: { ...query, cursor: page.data.cursor } })
  await exchange('listDocuments', { key, query: { limit: '0' } })
  await exchange('listDocuments', { key, query: { cursor: 'none' } })
  await exchange('listDocuments')
}

async function listPublicDocuments(exchange: Exchange): Promise<void> {
  const { key } = await account()
  const settings = { language: 'markdown', public: true }
  for (const title of ['public one', 'public two']) await create('# Text', { ...settings, title }, { key })
  const query = { language: 'markdown', search: 'public', limit: '1' }
  const page: DocumentPage = await (await exchange('listPublicDocuments', { query })).json()
  const headers = { 'X-Bookmark': EXAMPLE_BOOKMARK }
  await exchange('listPublicDocuments', { query: { ...query, cursor: page.data.cursor }, headers })
  await exchange('listPublicDocuments', { query: { limit: '0' } })
  await exchange('listPublicDocuments', { query: { cursor: 'none' } })
  await exchange('listPublicDocuments', { bindings: withVars({ EXPLORE: 'off' }) })
}

/** Makes every operation on accounts return each of its possible responses. */
export async function exchangeUsers(exchange: Exchange): Promise<void> {
  const { key, username } = await account()
  await exchange('greet')
  await exchange('readOwnAccount', { key })
  await exchange('readOwnAccount')
  await exchange('searchUsers', { key, params: { prefix: username.slice(0, 4) } })
  await exchange('searchUsers', { params: { prefix: username } })
  await exchange('readUser', { params: { username } })
  await exchange('readUser', { params: { username: 'nobody' } })
  await listDocuments(exchange)
  await listPublicDocuments(exchange)
  await exchange('replaceKey', { key: (await account({ scope: 'write' })).key })
  await exchange('replaceKey', { key })
  await exchange('replaceKey')
}
