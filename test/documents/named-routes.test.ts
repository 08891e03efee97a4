import { expect, it } from 'vitest'
import { listRoutes } from '../../src/app.ts'
import { account, session } from '../support/accounts.ts'
import { call, send } from '../support/client.ts'

/** Every route with the id of a document, but for aliases, other services' routes, and the picture, which takes long. */
const ROUTES = [
  ...new Set(
    (await listRoutes())
      .filter(({ method, path }) => method !== 'ALL' && !path.endsWith('.png'))
      .filter(({ path }) => /^\/(?:(?:r|v1\/document)\/)?:(?:id|address)(?:[/{]|$)/.test(path))
      .map(({ method, path }) => `${method} ${path}`),
  ),
]

const BROWSER = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0 AppleWebKit/537.36' }

const toPath = (pattern: string, address: string): string =>
  pattern
    .replace(/:(?:id|address)(?:\{[^/]*\})?/, address)
    .replace(/:name(?:\{[^/]*\})?/, 'a.txt')
    .replace(':number', '1')

/** What the sub-address needs of a document. */
const getDocument = (route: string, name: string) =>
  route.endsWith('/claim')
    ? { content: 'x', settings: { name, encrypted: true, instant_delete: true } }
    : {
        files: [
          { name: 'a.txt', content: 'a' },
          { name: 'b.txt', content: 'b' },
        ],
        settings: { name },
      }

it('is tested for the routes of pages, texts and the API', () => {
  expect(ROUTES.length).toBeGreaterThan(35)
})

it.each(ROUTES)('%s takes a name in place of an id', async (route) => {
  const user = await account()
  const [method = '', pattern = ''] = route.split(' ')
  const isPage = !/^\/(?:v1|r)\//.test(pattern) && method !== 'PUT' && method !== 'DELETE'
  const headers = isPage ? { ...BROWSER, ...(await session(user)) } : { Authorization: user.key }
  const body = method === 'PUT' ? 'new' : pattern.endsWith('/claim') ? `{"token":"${'x'.repeat(43)}"}` : ''
  const type = pattern.startsWith('/v1') ? 'application/json' : 'application/x-www-form-urlencoded'
  const ask = (path: string) =>
    send(path, {
      method,
      headers: { ...headers, ...(method === 'POST' && { 'Content-Type': type }) },
      ...(method !== 'GET' && method !== 'DELETE' && { body }),
      redirect: 'manual',
    })
  const makeId = async (name: string) =>
    (await call('POST', '/v1/document', getDocument(pattern, name), { key: user.key })).body.data.id
  const [one, two] = [await makeId('one'), await makeId('two')]

  const byId = await ask(toPath(pattern, one))
  let byName = await ask(toPath(pattern, `@${user.username}/two`))
  if (byName.status === 307) {
    expect(byName.headers.get('Location')).toBe(toPath(pattern, two))
    byName = await ask(byName.headers.get('Location') ?? '')
  }
  expect(byName.status).toBe(byId.status)
  expect(byName.headers.get('Content-Type')).toBe(byId.headers.get('Content-Type'))
  expect(byId.status).not.toBe(404)
})

it('leads from a page by name to that of the id, with its query', async () => {
  const { key, username } = await account()
  const { id } = (await call('POST', '/v1/document', { content: 'x', settings: { name: 'n' } }, { key })).body
    .data
  const getLocation = async (path: string) => (await send(path)).headers.get('Location')
  expect(await getLocation(`/@${username}/n/edit?version=1`)).toBe(`/${id}/edit?version=1`)
  expect(await getLocation(`/%40${username.toUpperCase()}/n/history/1`)).toBe(`/${id}/history/1`)
  expect(await getLocation(`/@${username}/n/history/%E2%9C%93%0d%0aX:y%25`)).toBe(
    `/${id}/history/%E2%9C%93%0D%0AX:y%25`,
  )
  expect((await send(`/@${username}/other/edit`)).status).toBe(404)
  expect((await send(`/@nobody-here/n/history`)).status).toBe(404)
})
