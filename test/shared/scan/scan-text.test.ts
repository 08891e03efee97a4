import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSecret, scanText } from '../../../src/shared/scan/scan-text.ts'
import { readFindings, readOrdinary } from './corpus/corpus.ts'
import { createRandom, KNOWN_SECRETS } from './corpus/shapes.ts'

const random = createRandom(7)
const make = (name: string): string => KNOWN_SECRETS[name]?.(random) ?? ''

const find = (text: string) => scanText(text).map(({ from, to, type }) => [type, text.slice(from, to)])

describe.each(['tuning', 'held-out'] as const)('the samples for %s', (part) => {
  it.each(['known', 'other'])('has 95 of 100 secrets of the group %s', (group) => {
    const samples = readFindings(part)
    expect(samples.length).toBeGreaterThanOrEqual(75)
    let all = 0
    let found = 0
    for (const { text, expected } of samples) {
      const findings = scanText(text).filter(isSecret)
      for (const { from, to } of expected.filter((value) => value.group === group)) {
        all++
        if (findings.some((finding) => finding.from <= from && finding.to >= to)) found++
      }
    }
    expect(found / all).toBeGreaterThanOrEqual(0.95)
  })

  it('raises at most one false alarm for 50 ordinary texts', () => {
    const texts = readOrdinary(part)
    const alarms = texts.filter((text) => scanText(text).length > 0)
    expect(alarms.length / texts.length).toBeLessThanOrEqual(1 / 50)
  })
})

describe('scanText', () => {
  it.each(Object.keys(KNOWN_SECRETS).filter((name) => !['aws-secret', 'azure-storage'].includes(name)))(
    'finds a key of %s without its surroundings',
    (name) => {
      const key = make(name)
      expect(find(`see ${key} there`)).toEqual([['key', key]])
      expect(find(key)).toEqual([['key', key]])
    },
  )

  it('finds the password of an address, not the rest of it', () => {
    expect(find('postgres://shop:Tr0ub4dor@db.acme.dev/shop')).toEqual([['password', 'Tr0ub4dor']])
    expect(find('https://mara@acme.dev/x')).toEqual([])
  })

  it.each([
    ['an escaped quote', '{"password": "', 'Zq8#vT2\\"kL9mXw', '"}'],
    ['an escaped quote near the start', '{"password": "', 'Zq\\"8#vT2kL9mXw', '"}'],
    ['JSON inside of JSON', '"{\\"password\\": \\"', 'Zq8#vT2kL9mXw', '\\"}"'],
    ['padding in quotes', '"Authorization": "Acme ', 'Zq8vT2kL9mXw4rNb7cYd3g=', '"'],
    ['more than 512 characters', 'API_KEY=', 'aB3dE5fG7hJ9kL1m'.repeat(100), '\nx'],
    ['a long token', 'Bearer ', 'aB3dE5fG7hJ9kL1m'.repeat(300), ' x'],
    ['a long password for curl', 'curl -u ada:', 'aB3dE5fG7hJ9kL1m'.repeat(60), ' x'],
    ['a long session', 'Cookie: sid=', 'aB3dE5fG7hJ9kL1m'.repeat(60), '; x=y'],
    ['an @', 'postgres://app:', 'Xk9f@Lq27zz', '@db/x?mail=a@b'],
  ])('leaves nothing of a secret with %s', (_, before, secret, after) => {
    expect(find(`${before}${secret}${after}`).map(([, value]) => value)).toEqual([secret])
  })

  it('leaves passwords of options alone that no program takes', () => {
    expect(find('sshpass -p Zq8vT2kL9m ssh x; ssh -p Zq8vT2kL9m x; mysql -p Zq8vT2kL9m')).toEqual([
      ['password', 'Zq8vT2kL9m'],
    ])
  })

  it('takes no version for an address', () => {
    expect(find('libfoo 2.13.1.15 AssemblyVersion("1.0.0.12") (ver. 6.1.0.14) § 13.2.5.32')).toEqual([])
    expect(find('library 93.184.10.5 (93.184.10.5)')).toHaveLength(2)
  })

  it('takes no row of numbers for a MAC address', () => {
    expect(find('ratio 10:20:30:40:50:60, 10-20-30-40-50-60')).toEqual([])
    expect(find('ether 10:20:30:40:50:6a')).toEqual([['mac', '10:20:30:40:50:6a']])
  })

  it.each([
    ['&lt;password&gt;', 'Zq8vT2kL9m', '&lt;/password&gt;'],
    ['&lt;sec:api_key&gt; ', 'aB3dE5fG7hJ9kL1m', ' &lt;/sec:api_key&gt;'],
    ['&lt;password&gt;', 'Zq8v&amp;T2kL9m', '&lt;/password&gt;'],
  ])('finds the secret of an element in escaped XML: %s', (before, secret, after) => {
    expect(find(`<value>${before}${secret}${after}</value>`).map(([, value]) => value)).toEqual([secret])
    expect(
      find('&lt;password&gt;changeme&lt;/password&gt; &lt;page&gt;aB3dE5fG7hJ9kL1m&lt;/page&gt;'),
    ).toEqual([])
  })

  it('finds public addresses only', () => {
    expect(find('10.0.0.1 93.184.10.5 192.168.1.2 203.0.113.9 [2a01:4f8::1:2]:443 fe80::1')).toEqual([
      ['ip', '93.184.10.5'],
      ['ip', '2a01:4f8::1:2'],
    ])
  })

  it('finds the name of a user in the path of a home folder', () => {
    expect(find('/home/mara/app C:\\Users\\jonas\\x /home/runner/app /home/about')).toEqual([
      ['user', 'mara'],
      ['user', 'jonas'],
    ])
  })

  it('finds card numbers with a valid last digit', () => {
    expect(find('card 4929 8217 3305 6618')).toEqual([])
    expect(find('card 4929 8217 3305 6617')).toEqual([['card', '4929 8217 3305 6617']])
  })

  it('finds a private key that was cut off', () => {
    const lines = make('ssh-key').split('\n').slice(0, 4).join('\n')
    expect(find(`$ cat id\n${lines}\n`)).toEqual([['key', lines]])
  })

  it('finds sessions among cookies, and nothing on the next line', () => {
    const session = `${make('twilio').slice(2)}x9`
    expect(find(`Cookie: theme=dark; sid=${session}; lang=de\nsid=${session}`)).toEqual([['key', session]])
  })

  it('returns only findings of the given lines', () => {
    const line = 'from 93.184.10.5\n'
    expect(scanText(line.repeat(3), { from: line.length, to: 2 * line.length })).toHaveLength(1)
  })

  it('returns findings in order, without overlaps, for any text', () => {
    const pieces = readFindings('tuning').flatMap(({ text }) => text.split(/\b/))
    const texts = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('')
        let end = 0
        for (const { from, to } of scanText(text)) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(text.length)
          end = to
        }
      }),
      { numRuns: 100 },
    )
  })

  it.each(['eyJ', '-----BEGIN PRIVATE KEY-----'])('reads megabytes of %j', (part) => {
    expect(scanText(part.repeat(2_000_000 / part.length)).length).toBeLessThan(400_000)
  })
})
