import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptRequest, parseNetworks } from '../../server/proxy.ts'

interface Sent {
  readonly from: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns a request as the app gets it. */
function accept(trusted: string, { from, url = '/a', headers = {} }: Sent) {
  const sent = Object.entries({ Host: 'paste.example.org', ...headers })
  const request = {
    url,
    socket: { remoteAddress: from },
    rawHeaders: sent.flat(),
    headers: Object.fromEntries(
      sent.map(([name, value]): [string, string | undefined] => [name.toLowerCase(), value]),
    ),
  }
  const networks = parseNetworks(trusted)
  if (networks === null) throw new Error('invalid networks')
  acceptRequest(request, networks)
  const raw = request.rawHeaders.filter((_, index) => index % 2 === 0)
  return {
    url: request.url,
    headers: request.headers,
    names: raw,
    client: request.headers['cf-connecting-ip'],
  }
}

const CLAIMS = {
  'CF-Connecting-IP': '192.0.2.1',
  'CF-IPCountry': 'DE',
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'evil.example',
  'X-Real-IP': '192.0.2.1',
  Forwarded: 'for=192.0.2.1;proto=https;host=evil.example',
}

describe('a request that comes without a proxy', () => {
  it('has the address of its connection, and loses what only a proxy may say', () => {
    const { url, headers, names, client } = accept('', { from: '198.51.100.7', headers: CLAIMS })
    expect(client).toBe('198.51.100.7')
    expect(url).toBe('/a')
    expect(names).toEqual(['Host', 'CF-Connecting-IP'])
    expect(headers).toEqual({ host: 'paste.example.org', 'cf-connecting-ip': '198.51.100.7' })
  })

  it('comes from IPv4, even if the server listens on IPv6', () => {
    expect(accept('', { from: '::ffff:198.51.100.7' }).client).toBe('198.51.100.7')
    expect(accept('198.51.100.0/24', { from: '::ffff:198.51.100.7', headers: CLAIMS }).client).toBe(
      '192.0.2.1',
    )
  })

  it('loses the address before its path', () => {
    expect(accept('', { from: '198.51.100.7', url: 'http://evil.example/a?b' }).url).toBe('/a?b')
    expect(accept('', { from: '198.51.100.7', url: 'http://evil.example' }).url).toBe('/')
  })
})

describe('a request from a trusted proxy', () => {
  const from = '10.0.0.1'
  const through = (headers: Record<string, string>) => accept('10.0.0.0/8, ::1', { from, headers })

  it('has the address, the scheme and the host that the proxy says', () => {
    const headers = {
      'X-Forwarded-For': '192.0.2.9',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'a.example',
    }
    const { url, client, names } = through(headers)
    expect(client).toBe('192.0.2.9')
    expect(url).toBe('https://a.example/a')
    expect(names).toEqual(['Host', 'CF-Connecting-IP'])
  })

  it('reads Forwarded, with IPv6 in quotes', () => {
    const { url, client } = through({ Forwarded: 'for="[2001:db8::1]:4711";proto=https;host="a.example"' })
    expect(client).toBe('2001:db8::1')
    expect(url).toBe('https://a.example/a')
  })

  it.each([
    'for=6.6.6.6;x="',
    'for="6.6.6.6',
    'for=6.6.6.6;x="\\',
    '"',
    'for=6.6.6.6;x="a\\"b"',
    'for=6.6.6.6, for="6.6.6.6;x=", "',
    ',,;;=="",',
  ])('reads its own part of Forwarded after %s', (sent) => {
    for (const [added, expected] of [
      ['for="[2001:db8::1]:4711";proto=https', '2001:db8::1'],
      ['for=192.0.2.9;by="10.0.0.1";proto="https"', '192.0.2.9'],
      ['for=192.0.2.9:4711;proto=https;host="a.example"', '192.0.2.9'],
    ] as const) {
      const { client, url } = through({ Forwarded: `${sent}, ${added}` })
      expect({ client, isSecure: url.startsWith('https://') }).toEqual({ client: expected, isSecure: true })
    }
  })

  it('believes its own part of Forwarded, whatever a client sends before', () => {
    const character = fc.constantFrom(...'for=6.";, \\[]:\t')
    const part = fc.oneof(character, fc.constant('for=6.6.6.6'), fc.constant('x="'))
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom('"[2001:db8::1]"', '"2001:db8::1"'), (parts, address) => {
        const { client } = through({ Forwarded: `${parts.join('')}, for=${address};proto=https` })
        expect(client).toBe('2001:db8::1')
      }),
    )
  })

  it.each(['for=6.6.6.6;host="', 'for="6.6.6.6', 'for=6.6.6.6 for=6.6.6.6', 'for="6.6.6.6\\""'])(
    'believes nothing of Forwarded if its end is %s',
    (end) => {
      for (const Forwarded of [end, `for=192.0.2.9, ${end}`]) {
        const { client, url } = through({ Forwarded })
        expect({ client, url }).toEqual({ client: from, url: '/a' })
      }
    },
  )

  it.each(['for=192.0.2.9;;proto=https', ';for=192.0.2.9; ;proto=https;', 'for=192.0.2.9;proto=https, ,'])(
    'skips what is empty in Forwarded: %s',
    (Forwarded) => {
      const { client, url } = through({ Forwarded })
      expect({ client, isSecure: url.startsWith('https://') }).toEqual({
        client: '192.0.2.9',
        isSecure: true,
      })
    },
  )

  it('takes a time for Forwarded that grows with its length only', () => {
    // Otherwise, this would take minutes.
    for (const part of ['",', ',"', ',', 'a=b;', 'a="', ';', ' ', 'a=" '])
      expect(through({ Forwarded: part.repeat(1_000_000 / part.length) }).client).toBe(from)
  })

  it('ignores Forwarded that a client has sent through a proxy which writes the other headers', () => {
    expect(through({ Forwarded: 'for=203.0.113.1', 'X-Forwarded-For': '192.0.2.9' }).client).toBe('192.0.2.9')
  })

  it('believes nobody before the first address that is no proxy', () => {
    expect(through({ 'X-Forwarded-For': '203.0.113.1, 192.0.2.9, 10.1.2.3' }).client).toBe('192.0.2.9')
    expect(through({ 'X-Forwarded-For': '203.0.113.1, unknown, 10.1.2.3' }).client).toBe('10.1.2.3')
    expect(through({}).client).toBe(from)
    expect(through({ 'CF-Connecting-IP': '192.0.2.1' }).client).toBe(from)
  })

  it('ignores a host that is none', () => {
    expect(through({ 'X-Forwarded-Host': 'a.example/b', 'X-Forwarded-Proto': 'https' }).url).toBe(
      'https://paste.example.org/a',
    )
  })
})

describe('TRUSTED_PROXY', () => {
  it.each(['10.0.0.0/33', 'localhost', '10.0.0.0/8/8', '::1/129', '300.0.0.1'])('refuses %s', (text) => {
    expect(parseNetworks(text)).toBeNull()
  })
})
