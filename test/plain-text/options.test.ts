import { describe, expect, it } from 'vitest'
import { decryptText, deriveClaimToken, encryptText, hashClaimToken, parseJwe } from '../../src/shared/jwe.ts'
import { account } from '../support/accounts.ts'
import { call, ORIGIN, read, withVars } from '../support/client.ts'
import { countDocuments, created, curl, FORM, getId, multipart, type TextAnswer } from './support.ts'

const DAY_MS = 86_400_000

async function getDays(answer: TextAnswer): Promise<number> {
  const { creation, expiration } = (await created(answer)).timestamps
  return (Date.parse(expiration) - Date.parse(creation)) / DAY_MS
}

const put = (query: string, headers: Record<string, string> = {}) =>
  curl(`/${query}`, { method: 'PUT', body: 'x', headers })

describe('the options of a new document', () => {
  it('are taken from the query', async () => {
    const answer = await put('?expires=2d&language=py&title=n%C3%B6tes&burn')
    const { key } = await account()
    const { settings } = (
      await read(getId(answer), {
        headers: { 'X-Document-Token': answer.headers.get('X-Document-Token') ?? '' },
        key,
      })
    ).body.data
    expect(settings).toMatchObject({ title: 'nötes', language: 'python', instant_delete: true })
    expect(await getDays(await put('?expires=12h'))).toBe(0.5)
  })

  it('say in the answer when the document expires', async () => {
    const answer = await put('?expires=2d')
    const { expiration } = (await created(answer)).timestamps
    expect(answer.headers.get('X-Expires')).toBe(expiration)
  })

  it('are taken from headers', async () => {
    const answer = await put('', {
      'X-Expires': '36h',
      'X-Language': 'Rust',
      'X-Title': 'notes',
      'X-Burn': 'no',
    })
    expect((await created(answer)).settings).toMatchObject({
      title: 'notes',
      language: 'rust',
      instant_delete: false,
    })
    expect(await getDays(answer)).toBe(1.5)
  })

  it('are taken from the fields of a form', async () => {
    const form = multipart([
      ['name="expires"', '30m'],
      ['name="title"', 't'],
      ['name="file"; filename="f"', 'x'],
    ])
    const answer = await curl('/', form)
    expect((await created(answer)).settings.title).toBe('t')
    expect(await getDays(answer)).toBeCloseTo(1 / 48, 6)
    const encoded = { body: 'content=x&lang=md', headers: { 'Content-Type': FORM } }
    expect((await created(await curl('/', encoded))).settings.language).toBe('markdown')
  })

  it('take a field before the query, and the query before a header', async () => {
    const form = multipart([
      ['name="title"', 'field'],
      ['name="f"', 'x'],
    ])
    const headers = { 'X-Title': 'header', ...form.headers }
    expect((await created(await curl('/?title=query', { ...form, headers }))).settings.title).toBe('field')
    expect((await created(await put('?title=query', { 'X-Title': 'header' }))).settings.title).toBe('query')
  })

  it.each([
    [
      '?expire=2d',
      {},
      'Unknown option: expire. The options are expires, burn, language, title, encrypt, public, client_encrypted, claim_hash, token',
    ],
    ['?burn=maybe', {}, 'Write burn=true or burn=false'],
    ['?expires=2', {}, 'Write expires as a duration such as 30m, 12h, 2d or 4w, or never'],
    ['?expires=0d', {}, 'Write expires as a duration such as 30m, 12h, 2d or 4w, or never'],
    ['?expires=0.1m', {}, 'expiration: Must be at least 1 minute and at most 10 years ahead'],
    ['?expires=2020-01-01T00:00:00Z', {}, 'expiration: Must be at least 1 minute and at most 10 years ahead'],
    [`?title=${'x'.repeat(201)}`, {}, 'The title can have at most 200 characters'],
    ['?password=secret', {}, 'Send the password in the header X-Document-Password: addresses end up in logs'],
    ['?encrypt&title=x', {}, "title: An encrypted document can't have a title: leave it out"],
    ['', { 'X-Burn': 'perhaps' }, 'Write burn=true or burn=false'],
  ])('are refused if they are wrong: %s %j', async (query, headers, line) => {
    const before = await countDocuments()
    const { status, text } = await put(query, headers)
    expect({ status, text }).toEqual({ status: 400, text: `${line}\n` })
    expect(await countDocuments()).toBe(before)
  })
})

describe('without an account', () => {
  it('a document lasts up to 7 days, and nobody else finds it', async () => {
    expect(await getDays(await put('?expires=7d'))).toBe(7)
    const tooLong =
      'Without an account, documents last up to 7 days. Send an API key in the header Authorization\n'
    for (const expires of ['8d', '4w', 'never'])
      expect(await put(`?expires=${expires}`)).toMatchObject({ status: 401, text: tooLong })
    expect(await put('?public')).toMatchObject({
      status: 401,
      text: 'Only documents of accounts can be public. Send an API key in the header Authorization\n',
    })
  })

  it('a document may last longer where the operator allows it', async () => {
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const request = { method: 'PUT', body: 'x', bindings }
    expect(await getDays(await curl('/?expires=4w', request))).toBe(28)
    expect((await curl('/?public', request)).status).toBe(401)
  })
})

describe('with an API key', () => {
  it('a document may last for ever and be public', async () => {
    const { key } = await account()
    const { settings, timestamps } = await created(await put('?expires=never&public', { Authorization: key }))
    expect(settings.public).toBe(true)
    expect(timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
  })

  it('of an unconfirmed account, the same holds as without one', async () => {
    const { key } = await account({ confirmed: false })
    const headers = { Authorization: key }
    expect(await getDays(await put('?expires=2d&language=py', headers))).toBe(2)
    for (const query of ['?expires=8d', '?public'])
      expect(await put(query, headers)).toMatchObject({
        status: 403,
        text: 'Your account is not confirmed. Your account page on the site says how to confirm it\n',
      })
  })
})

describe('encryption', () => {
  it('puts a generated password into the link, where no server sees it', async () => {
    const { text } = await put('secret-name.txt?encrypt')
    const [, id = '', password = ''] = /^https:\/\/paste\.example\/(\w+)#(\w{24})\n$/.exec(text) ?? []
    expect((await read(id)).body.data.settings).toMatchObject({ encrypted: true })
    expect((await read(id)).body.data.settings).not.toHaveProperty('title')
    expect((await curl(`/${id}`)).text).toMatch(/^eyJ/)
    const proof = { headers: { 'X-Document-Password': password } }
    expect((await curl(`/${id}`, proof)).text).toBe('x')
  })

  it.each([{ 'X-Document-Password': 'hunter2' }, { 'X-Password': 'hunter2' }])(
    'takes a password of yours: %j',
    async (headers) => {
      const answer = await put('', headers)
      expect(answer.text).toMatch(new RegExp(`^${ORIGIN}/\\w{8}\\n$`))
      const proof = { 'X-Document-Password': 'hunter2' }
      expect((await curl(`/${getId(answer)}`, { headers: proof })).text).toBe('x')
    },
  )

  it('takes a password from a form, which is no address', async () => {
    const answer = await curl(
      '/',
      multipart([
        ['name="password"', 'hunter2'],
        ['name="f"', 'x'],
      ]),
    )
    expect((await curl(`/${getId(answer)}?password=hunter2`)).text).toBe('x')
  })
})

const PASSWORD = 'hunter2'
const CLAIM_HASH = 'a'.repeat(43)

const encrypt = (text: string) => encryptText({ text, password: PASSWORD, generated: true })

const claim = (id: string, token: string) => call('POST', `/v1/document/${id}/claim`, { token })

const { jwe: JWE } = await encrypt('secret')

describe('text that the client has encrypted', () => {
  it.each([
    ['a header', '/', { body: JWE, headers: { 'X-Client-Encrypted': 'true' } }],
    ['the query', '/?client_encrypted', { body: `${JWE}\n`, headers: { 'Content-Type': FORM } }],
    [
      'a form',
      '/',
      multipart([
        ['name="client_encrypted"', '1'],
        ['name="f"', JWE],
      ]),
    ],
  ] as const)('is stored as it is, if %s says so', async (_, path, request) => {
    const answer = await curl(path, { method: 'POST', ...request })
    const { content, settings } = await created(answer)
    expect(settings).toMatchObject({ encrypted: true, language: 'plaintext' })
    expect(content).toBe(JWE)
    expect(await decryptText(content, PASSWORD)).toBe('secret')
  })

  it('gets no title from its file name', async () => {
    const headers = { 'X-Client-Encrypted': 'true', 'X-Language': 'py' }
    const answer = await curl('/secret-name.txt', { method: 'PUT', body: JWE, headers })
    const { settings } = await created(answer)
    expect(settings).not.toHaveProperty('title')
    expect(settings.language).toBe('python')
  })

  it('burns for the claim token', async () => {
    const { jwe, claimHash } = await encrypt('secret')
    const token = await deriveClaimToken(PASSWORD, parseJwe(jwe).header)
    expect(await hashClaimToken(token)).toBe(claimHash)
    const headers = { 'X-Client-Encrypted': 'true', 'X-Claim-Hash': claimHash ?? '' }
    const id = getId(await curl('/?burn', { body: jwe, headers }))
    expect((await claim(id, CLAIM_HASH)).status).toBe(400)
    expect((await claim(id, token)).body.data.content).toBe(jwe)
    expect((await read(id)).status).toBe(404)
  })

  it('may be as long as the text inside it is allowed to be', async () => {
    const bindings = withVars({ MAX_CONTENT_BYTES: '30000' })
    const headers = { 'X-Client-Encrypted': 'true', 'Content-Type': 'text/plain' }
    const share = async (text: string) => curl('/', { body: (await encrypt(text)).jwe, headers, bindings })
    getId(await share('x'.repeat(30_000)))
    expect(await share('x'.repeat(30_001))).toMatchObject({
      status: 413,
      text: 'Content is too large. Shorten it, or split it\n',
    })
    expect((await curl('/', { body: 'x'.repeat(30_001), bindings })).status).toBe(413)
  })

  it.each([
    ['', { 'X-Document-Password': PASSWORD }, 'client_encrypted: '],
    ['?encrypt', {}, 'client_encrypted: '],
    ['?burn', {}, 'claim_hash: Required with burn'],
    ['?burn', { 'X-Claim-Hash': 'x' }, 'claim_hash: Expected the base64url SHA-256 of the claim token'],
    ['?title=x', {}, "title: An encrypted document can't have a title: leave it out"],
    ['', { 'X-Client-Encrypted': 'no', 'X-Claim-Hash': CLAIM_HASH }, 'claim_hash: Requires client_encrypted'],
    ['', { 'X-Client-Encrypted': 'perhaps' }, 'Write client_encrypted=true or client_encrypted=false'],
  ])('is refused with options that don’t go together: %s %j', async (query, headers, line) => {
    const before = await countDocuments()
    const request = { body: JWE, headers: { 'X-Client-Encrypted': 'true', ...headers } }
    const { status, text } = await curl(`/${query}`, { method: 'PUT', ...request })
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(line) })
    expect(text.trimEnd()).not.toContain('\n')
    expect(await countDocuments()).toBe(before)
  })

  it('is refused within megabytes of spaces, which nobody would count', async () => {
    const headers = { 'X-Client-Encrypted': 'true' }
    const padded = (spaces: number) => curl('/', { method: 'PUT', body: ' '.repeat(spaces) + JWE, headers })
    expect((await created(await padded(4_096))).content).toBe(JWE)
    expect((await padded(4_097)).status).toBe(413)
  })

  it('is refused if it isn’t encrypted', async () => {
    const before = await countDocuments()
    const { status, text } = await curl('/?client_encrypted', { method: 'PUT', body: 'secret' })
    expect({ status, text }).toEqual({
      status: 400,
      text: 'content: Expected a JWE in compact form: five parts separated by dots\n',
    })
    expect(await countDocuments()).toBe(before)
  })
})
