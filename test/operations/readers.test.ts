import { describe, expect, it } from 'vitest'
import DOCS from '../../docs/private.md?raw'
import { listRoutes } from '../../src/app.ts'
import { from, LIMITERS, newAddress } from '../limits/support.ts'
import { account, session } from '../support/accounts.ts'
import { call, create, createAnonymous, edit, ORIGIN, send, withVars } from '../support/client.ts'
import { simplify, toPath } from '../support/routes.ts'

const MAIL_FROM = 'Regent <mail@paste.example>'
const bindings = withVars({ READERS: 'accounts', CONTACT_EMAIL: 'ops@paste.example', MAIL_FROM })
const PROGRAM = { 'User-Agent': 'curl/8.16.0', Accept: '*/*' }
const BROWSER = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0 AppleWebKit/537.36', Origin: ORIGIN }

const ROUTES = [
  ...new Set(
    (await listRoutes())
      .filter(({ path, method }) => method !== 'ALL' && !path.endsWith('*'))
      .map(({ path, method }) => `${method} ${path}`),
  ),
].sort()

/** What the documentation says that people without an account get. Each of its tables' rows is an answer and its routes. */
const ROWS = new Map(
  [...DOCS.matchAll(/^\| ([^|]+) \| (`[^|]+`) \|$/gm)].map(([, answer = '', routes = '']) => [
    answer,
    [...routes.matchAll(/`([^`]+)`/g)].map(([, route = '']) => route),
  ]),
)

const findAnswer = (route: string): string =>
  [...ROWS]
    .filter(([, routes]) => routes.includes(simplify(route)))
    .map(([answer]) => answer)
    .join(' and ')

const EXPECTED: Readonly<Record<string, string>> = {
  'What it says on every server': 'open',
  'A new document, or 401 with `ANONYMOUS_DOCUMENTS = "refuse"`': 'open',
  'The sign-in page, and back; to programs 401': 'sign-in',
  '401': '401',
  '401, or with the token of the document the change without its text': '401',
}

const SECRET = 'what nobody else may read'

async function ask(
  route: string,
  subject: { id: string; username: string },
  headers: Record<string, string>,
) {
  const [method = '', pattern = ''] = route.split(' ')
  const sends = method !== 'GET' && method !== 'DELETE'
  const isEdit = route.startsWith('PATCH')
  const answer = await send(
    toPath(pattern, subject),
    {
      method,
      headers: {
        ...(sends && { 'Content-Type': isEdit ? 'application/json' : 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: sends ? (isEdit ? JSON.stringify({ id: subject.id }) : 'content=x') : null,
      redirect: 'manual',
    },
    { bindings },
  )
  const { status } = answer
  const location = answer.headers.get('Location')
  return { status, location, text: await answer.text(), headers: answer.headers }
}

async function scene() {
  const { username, key } = await account()
  const { id } = await create(SECRET, { title: SECRET, public: true }, { key })
  const { id: anonymousId, headers } = await createAnonymous(SECRET)
  return { subject: { id, username }, key, anonymousId, token: headers['X-Document-Token'] }
}

const MISSING = { id: 'bcdfghjk', username: 'nobody-here' }

describe('the documentation', () => {
  it('says of every route what it answers without an account, and of none twice', () => {
    const listed = [...ROWS.values()].flat().sort()
    expect(listed).toEqual([...new Set(ROUTES.map(simplify))].sort())
  })
})

describe('where only accounts may read, people without one', () => {
  it('get at every route what the documentation says, and nowhere a document', async () => {
    const { subject } = await scene()
    for (const route of ROUTES) {
      const program = await ask(route, subject, PROGRAM)
      const browser = await ask(route, subject, BROWSER)
      const found = `${program.text} ${browser.text} ${[...program.headers]} ${[...browser.headers]}`
      expect([route, found.includes(SECRET)]).toEqual([route, false])
      const leadsToSignIn = browser.status === 303 && browser.location?.startsWith('/sign-in?return=')
      const isRefused = program.status === 401 && (browser.status === 401 || leadsToSignIn)
      const shown = !isRefused ? 'open' : leadsToSignIn ? 'sign-in' : '401'
      expect(`${route}: ${shown}`).toBe(`${route}: ${EXPECTED[findAnswer(route)]}`)
    }
  })

  it('get the same where there is a document as where there is none, also with an invalid key or a token', async () => {
    const { subject, token = '' } = await scene()
    const refused = ROUTES.filter((route) => EXPECTED[findAnswer(route)] !== 'open')
    expect(refused.length).toBeGreaterThan(100)
    const key = `imperial_${'x'.repeat(40)}`
    for (const route of refused) {
      for (const headers of [
        PROGRAM,
        BROWSER,
        { ...PROGRAM, Authorization: key },
        { ...PROGRAM, 'X-Document-Token': token },
        { ...PROGRAM, 'X-Document-Token': 'x' },
      ]) {
        const [known, missing] = await Promise.all([
          ask(route, subject, headers),
          ask(route, MISSING, headers),
        ])
        const same = ({ status, text }: typeof known) => [route, status, text.replaceAll(/[a-z]{8}/g, '')]
        expect(same(missing)).toEqual(same(known))
        expect([route, known.status]).toEqual([route, headers === BROWSER ? known.status : 401])
      }
    }
  })

  it('get the same however often they try passwords with a wrong token', async () => {
    const { subject } = await scene()
    const limited: Env = { ...bindings, ...LIMITERS, RATE_LIMITS: 'on' }
    const attempt = async (tried: string) => {
      const headers = { 'X-Document-Token': 'x', ...from(newAddress()) }
      const statuses: number[] = []
      for (let n = 0; n < 12; n++) {
        const body = { id: tried, password: `guess ${n}` }
        statuses.push((await call('PATCH', '/v1/document', body, { headers, bindings: limited })).status)
      }
      return statuses
    }
    expect(await attempt(subject.id)).toEqual(Array(12).fill(401))
    expect(await attempt(MISSING.id)).toEqual(Array(12).fill(401))
  })

  it('are led back to the page once they have signed in', async () => {
    const { subject } = await scene()
    const { location } = await ask('GET /:address', { ...subject, id: `${subject.id}.md?x=1` }, BROWSER)
    expect(location).toBe(`/sign-in?${new URLSearchParams({ return: `/${subject.id}.md?x=1` })}`)
  })

  it('are led to the document by its management link, whose token gets into no other address', async () => {
    const { id, token } = await createAnonymous('x')
    const answer = await send(
      `/${id}/manage?token=${token}`,
      { headers: BROWSER, redirect: 'manual' },
      { bindings },
    )
    expect(answer.status).toBe(303)
    expect(answer.headers.get('Location')).toBe(`/sign-in?return=%2F${id}`)
  })

  it('can edit and delete by the token of a document, and get nothing of its text', async () => {
    const { anonymousId: id, token = '' } = await scene()
    const headers = { 'X-Document-Token': token }
    const edited = await call(
      'PATCH',
      '/v1/document',
      { id, settings: { language: 'python' } },
      { headers, bindings },
    )
    expect(edited.status).toBe(200)
    expect(edited.body.data).toMatchObject({ id, settings: { language: 'python' } })
    expect(edited.body.data).not.toHaveProperty('content')
    expect((await call('GET', `/v1/document/${id}`, undefined, { headers, bindings })).status).toBe(401)
    expect((await call('DELETE', `/v1/document/${id}`, undefined, { headers, bindings })).status).toBe(204)
  })

  it('can hand in a text, whose answer doesn’t have it', async () => {
    const created = await call('POST', '/v1/document', { content: SECRET }, { bindings })
    expect(created.status).toBe(200)
    expect(created.body.data.id).toBeTruthy()
    expect(created.body.data).not.toHaveProperty('content')
    const refusing = {
      ...bindings,
      ...withVars({ ANONYMOUS_DOCUMENTS: 'refuse', READERS: 'accounts', MAIL_FROM }),
    }
    expect((await call('POST', '/v1/document', { content: SECRET }, { bindings: refusing })).status).toBe(401)
    const home = await (await send('/', { headers: BROWSER }, { bindings: refusing })).text()
    expect(home).toContain('only people with an account can create and read documents')
  })

  it('are told so by the manual and by robots.txt', async () => {
    const get = async (path: string) => (await send(path, { headers: PROGRAM }, { bindings })).text()
    expect(await get('/')).toContain('only people with an account can read documents')
    expect(await get('/robots.txt')).toBe('User-agent: *\nDisallow: /\n')
  })
})

describe('where only accounts may read, people with one', () => {
  it('read everything, and no shared cache keeps it', async () => {
    const { subject } = await scene()
    const reader = await account({ scope: 'read' })
    const browser = { ...BROWSER, ...(await session(reader)) }
    const key = { ...PROGRAM, Authorization: reader.key }
    const { id, username } = subject
    for (const path of [
      `/${id}`,
      '/explore',
      '/explore.atom',
      `/@${username}`,
      '/sitemap.xml',
      '/icons/x.svg',
    ]) {
      const answer = await send(path, { headers: browser }, { bindings })
      expect([path, answer.status]).toEqual([path, 200])
      expect([path, answer.headers.get('Cache-Control')]).toEqual([
        path,
        expect.stringMatching(/private|no-store/),
      ])
    }
    for (const path of [`/${id}`, `/r/${id}`, `/v1/document/${id}`, '/v1/public']) {
      const answer = await send(path, { headers: key }, { bindings })
      expect([path, answer.status]).toEqual([path, 200])
      expect(await answer.text()).toContain(SECRET)
    }
  })

  it('choose between accounts with the link and all accounts', async () => {
    const own = await account()
    const { id } = await create('x', {}, own)
    const headers = { ...BROWSER, ...(await session(own)) }
    for (const path of ['/', `/${id}/edit`]) {
      const page = await (await send(path, { headers }, { bindings })).text()
      expect(page).toContain('data-readers="accounts"')
      expect(page).toContain('>Accounts with the link</option>')
      expect(page).toContain('Public documents are listed on Explore, for all accounts, unless')
      expect(page).not.toMatch(/Anyone with the link<|search engines/)
      expect(await (await send(path, { headers })).text()).toMatch(/>Anyone with the link</)
    }
  })

  it('get the text of what they edit', async () => {
    const { subject, key } = await scene()
    const answer = await edit({ id: subject.id, settings: { language: 'python' } }, { key, bindings })
    expect(answer.body.data.content).toBe(SECRET)
  })

  it('can’t embed documents, since a frame on another site has no session', async () => {
    const { subject } = await scene()
    const browser = { ...BROWSER, ...(await session(await account())) }
    const page = await (await send(`/${subject.id}`, { headers: browser }, { bindings })).text()
    expect(page).not.toMatch(/embed\/code|oembed/)
    const url = `${ORIGIN}/${subject.id}`
    for (const path of [`/${subject.id}/embed`, `/${subject.id}/embed/code`, `/oembed?url=${url}`])
      expect((await send(path, { headers: browser }, { bindings })).status).toBe(404)
  })

  it('are one with a valid session only: a form of another site reads nothing', async () => {
    const { subject } = await scene()
    const { Cookie } = await session(await account())
    const headers = { ...BROWSER, Cookie, Origin: 'https://evil.example' }
    const answer = await send(`/r/${subject.id}`, { method: 'POST', headers }, { bindings })
    expect(answer.status).toBe(401)
  })
})
