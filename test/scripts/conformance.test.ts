import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseRun } from '../../scripts/conformance.ts'
import { ROOT } from '../../scripts/support/wrangler.ts'
import { describeDuration } from '../conformance/support/reporter.ts'

const URL_OPTION = ['--url', 'https://paste.example.org/']

describe('npm run conformance', () => {
  it('expects a server with the default configuration', () => {
    expect(parseRun([...URL_OPTION, '--key', 'imperial_a'])).toEqual({
      files: [],
      only: '',
      target: {
        url: 'https://paste.example.org',
        key: 'imperial_a',
        secondKey: '',
        unconfirmedKey: '',
        disposableKey: '',
        slow: false,
        legacyClients: false,
        anonymousSettings: 'refuse',
        anonymousDocuments: true,
        maxContentBytes: 10_485_760,
      },
    })
  })

  it('reads the configuration of the server', () => {
    const options = ['--legacy-clients', '--no-anonymous-documents', '--max-content-bytes', '1000', 'burn']
    expect(parseRun([...URL_OPTION, ...options])).toMatchObject({
      files: ['burn'],
      target: {
        legacyClients: true,
        anonymousSettings: 'ignore-cosmetic',
        anonymousDocuments: false,
        maxContentBytes: 1_000,
      },
    })
    expect(
      parseRun([...URL_OPTION, '--legacy-clients', '--anonymous-settings', 'allow'])?.target,
    ).toMatchObject({ anonymousSettings: 'allow' })
  })

  it.each([
    [[], '--url is missing'],
    [['--url', 'paste.example.org'], '--url needs an address'],
    [[...URL_OPTION, '--anonymous-settings', 'some'], '--anonymous-settings needs one of'],
    [[...URL_OPTION, '--max-content-bytes', '10MB'], '--max-content-bytes needs a whole number'],
  ])('refuses %j', (args, message) => {
    expect(() => parseRun(args)).toThrow(message)
  })
})

describe('what a run says when it starts', () => {
  it('depends on the accounts that share the writes', () => {
    const minutes = (key: string, secondKey: string) =>
      Number(/about (\d+) minutes/.exec(describeDuration({ key, secondKey }))?.[1])
    expect(minutes('a', '')).toBeGreaterThan(1.5 * minutes('a', 'b'))
    expect(minutes('a', 'b')).toBeGreaterThanOrEqual(minutes('', ''))
    expect(describeDuration({ key: 'a', secondKey: '' })).toContain('--second-key')
    expect(describeDuration({ key: 'a', secondKey: 'b' })).not.toContain('--second-key')
  })
})

describe('the conformance suite', () => {
  it('gives each clause a unique id', async () => {
    const folder = `${ROOT}test/conformance/`
    const files = (await readdir(folder)).filter((name) => /\.(test|optional)\.ts$/.test(name))
    const sources = await Promise.all(files.map((name) => readFile(folder + name, 'utf8')))
    const ids = sources.flatMap((source) =>
      [...source.matchAll(/\bclause\(\s*['`]([^'`]+)['`]/g)].map(([, id]) => id),
    )
    expect(ids.length).toBeGreaterThan(200)
    expect(ids).toEqual([...new Set(ids)])
  })
})
