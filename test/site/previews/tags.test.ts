import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { create, ORIGIN, read, remove, send } from '../../support/client.ts'

/** Returns the preview tags of a page in their order: the name and the content of each. */
async function readTags(response: Response): Promise<[string, string][]> {
  const tags: [string, string][] = []
  const decode = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  await new HTMLRewriter()
    .on('meta', {
      element(meta) {
        const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? ''
        if (/^(og|twitter):|^description$/.test(name))
          tags.push([name, decode(meta.getAttribute('content') ?? '')])
      },
    })
    .transform(response)
    .text()
  return tags
}

const getTags = async (path: string, init?: RequestInit) =>
  Object.fromEntries(await readTags(await send(path, init)))

describe('the preview of a document', () => {
  it('has its title, language, length and author, and no picture unless the creator wants one', async () => {
    const { key, username } = await account()
    const content = 'const a = 1\nconst b = 2\n'
    const { id } = await create(content, { language: 'typescript', title: 'a "b" <c>.ts' }, { key })
    expect(await readTags(await send(`/${id}`))).toEqual([
      ['og:site_name', 'Regent'],
      ['og:type', 'article'],
      ['og:title', 'a "b" <c>.ts'],
      ['og:description', `TypeScript · 2 lines · 24 bytes · by ${username}`],
      ['og:url', `${ORIGIN}/${id}`],
      ['twitter:card', 'summary'],
    ])
  })

  it('tells search engines about public documents', async () => {
    const { key } = await account()
    const { id } = await create('a', { public: true }, { key })
    const { description, 'og:description': same } = await getTags(`/${id}`)
    expect(description).toBe(same)
  })

  it('names the same address with a file extension', async () => {
    const { id } = await create('a = 1')
    expect((await getTags(`/${id}.py?view=source`))['og:url']).toBe(`${ORIGIN}/${id}`)
  })

  it('has the beginning of prose, without its title and markup', async () => {
    const text =
      '# Release notes\n\n> **Version 2** is [out](https://a.example/x).\n\n```sh\nrm -rf /\n```\n\n- [ ] Update `main`\n'
    const { id } = await create(text, { language: 'markdown' }, { key: (await account()).key })
    const { 'og:title': title, 'og:description': description } = await getTags(`/${id}`)
    expect(title).toBe('Release notes')
    expect(description).toMatch(/^Markdown · 9 lines · 105 bytes · by \S+ — Version 2 is out\. Update main$/)
  })

  it.each([
    ['a direction override', 'a\u202Eb\u2066c\u200Fd', 'abcd'],
    ['controls and line breaks', 'a\0b\x1B[31mc\u2028d\r\ne', 'a bc d e'],
    ['stacked marks', `Z${'\u0334\u0317'.repeat(40)}algo`, 'Z\u0334\u0317\u0334algo'],
    ['emoji and joiners', '👨‍👩‍👧 ❤️ a\u200Db می‌خواهم', '👨‍👩‍👧 ❤️ ab می‌خواهم'],
    ['private and unpaired characters', 'a\uE000b', 'a b'],
  ])('cleans %s', async (_, text, cleaned) => {
    const { key } = await account()
    const { id } = await create(`Title\n${text}`, { title: 'Title' }, { key })
    const { 'og:description': description = '' } = await getTags(`/${id}`)
    expect(description.split(' — ')[1]).toBe(cleaned)
  })

  it('stays short, and early in the page, for a line of a megabyte', async () => {
    const { id } = await create(
      '[<!--`|*_'.repeat(120_000),
      { language: 'markdown' },
      { key: (await account()).key },
    )
    const html = await (await send(`/${id}`)).text()
    const tags = await readTags(new Response(html))
    for (const [, content] of tags) expect(content.length).toBeLessThan(400)
    expect(html.indexOf('twitter:card')).toBeGreaterThan(0)
    expect(html.indexOf('twitter:card')).toBeLessThan(4_096)
  })

  it('costs no call to the storage', async () => {
    const { id } = await create('x'.repeat(1_000))
    const calls: string[] = []
    const bindings = bindingsWith((call, run) => {
      calls.push(call)
      return run()
    })
    await (await send(`/${id}`, {}, { bindings })).text()
    expect(calls.filter((call) => !call.startsWith('CONTENTS')).length).toBe(1)
  })
})

describe('the neutral preview', () => {
  const NEUTRAL = [
    ['og:site_name', 'Regent'],
    ['og:type', 'website'],
    ['og:title', 'Regent'],
    ['og:description', 'Share text by link: code, logs and notes.'],
    ['og:image', `${ORIGIN}/assets/preview.png`],
    ['og:image:type', 'image/png'],
    ['og:image:width', '1200'],
    ['og:image:height', '630'],
    ['og:image:alt', 'Regent: share text by link'],
    ['twitter:card', 'summary_large_image'],
  ]

  it('is the same for every address that must not say more', async () => {
    const { key } = await account()
    const settings = { image_embed: true, language: 'python' }
    const encrypted = await create('secret = 1', { ...settings, encrypted: true }, { key })
    const burning = await create('secret = 1', { ...settings, instant_delete: true, title: 'a.py' }, { key })
    const both = await create('x', { ...settings, instant_delete: true, encrypted: true }, { key })
    const deleted = await create('x', settings, { key })
    await remove(deleted.id, { key })
    const expired = await create('x', settings, { key })
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(expired.id).run()
    const ids = [encrypted, burning, both, deleted, expired].map(({ id }) => id)
    for (const path of [
      ...ids.map((id) => `/${id}`),
      ...ids.map((id) => `/${id}.py`),
      '/bcdfghjk',
      '/sign-in',
    ])
      expect({ path, tags: await readTags(await send(path)) }).toEqual({ path, tags: NEUTRAL })
    // The creator sees the content without burning it, and forwards the page's preview.
    const own = await send(`/${burning.id}`, { headers: { Authorization: key } })
    expect(await readTags(own)).toEqual(NEUTRAL)
    expect((await read(burning.id, { key })).status).toBe(200)
  })

  it('is also what the reader of a burned or decrypted document could pass on', async () => {
    const { key } = await account()
    const { id } = await create('secret', { instant_delete: true }, { key })
    expect(
      await readTags(await send(`/${id}`, { method: 'POST', headers: { Accept: 'text/html' } })),
    ).toEqual(NEUTRAL)
  })
})

it('gives public pages a preview of their own', async () => {
  expect(await getTags('/')).toMatchObject({ 'og:title': 'Regent', 'og:url': `${ORIGIN}/` })
  for (const [path, title] of [
    ['/about', 'About'],
    ['/privacy', 'Privacy'],
    ['/terms', 'Terms'],
    ['/abuse', 'Report abuse'],
  ] as const)
    expect(await getTags(path, { headers: { Accept: 'text/html' } })).toMatchObject({
      'og:title': title,
      'og:url': ORIGIN + path,
      'twitter:card': 'summary_large_image',
    })
})

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** The requests of services that preview links, as they document them or as they have been seen. */
const CRAWLERS: readonly (readonly [service: string, headers: Record<string, string>])[] = [
  [
    'Slack',
    {
      'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      Accept: '*/*',
      Range: 'bytes=0-32768',
    },
  ],
  ['Discord', { 'User-Agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' }],
  ['X', { 'User-Agent': 'Twitterbot/1.0', Accept: '*/*' }],
  [
    'Mastodon',
    { 'User-Agent': 'Mastodon/4.4.3 (http.rb/5.3.1; +https://mastodon.example/) Bot', Accept: 'text/html' },
  ],
  [
    'iMessage',
    {
      'User-Agent':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
      Accept: HTML,
    },
  ],
  [
    'Facebook',
    {
      'User-Agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      Accept: '*/*',
      Range: 'bytes=0-524287',
    },
  ],
  ['WhatsApp', { 'User-Agent': 'WhatsApp/2.23.20.0', Accept: '*/*' }],
  ['Telegram', { 'User-Agent': 'TelegramBot (like TwitterBot)', Accept: '*/*' }],
  [
    'LinkedIn',
    {
      'User-Agent': 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
      Accept: '*/*',
    },
  ],
]

const getTag = (html: string, name: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]

describe.each(CRAWLERS)('the preview that %s shows', (_, headers) => {
  it('is in the first kilobytes of the page, with a picture that it can load', async () => {
    const { key } = await account()
    const { id } = await create(
      `# Adds\n${'a = 1\n'.repeat(19_999)}`,
      { language: 'python', image_embed: true },
      { key },
    )
    const answer = await send(`/${id}`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    const start = (await answer.text()).slice(0, 4_096)
    expect(getTag(start, 'og:title')).toBe('Adds')
    expect(getTag(start, 'og:description')).toMatch(/^Python · 20000 lines/)
    expect(getTag(start, 'twitter:card')).toBe('summary_large_image')
    const picture = new URL(getTag(start, 'og:image') ?? '')
    const image = await send(picture.pathname + picture.search, {
      headers: { ...headers, Accept: 'image/*,*/*;q=0.8' },
    })
    expect({ status: image.status, type: image.headers.get('Content-Type') }).toEqual({
      status: 200,
      type: 'image/png',
    })
    await image.arrayBuffer()
    // The page counts a view like for every reader, the picture doesn't.
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('says nothing of a document that burns or is encrypted, and burns nothing', async () => {
    const { key } = await account()
    const settings = { image_embed: true, language: 'python' }
    const burning = await create('private = 1', { ...settings, instant_delete: true }, { key })
    const encrypted = await create('private = 1', { ...settings, encrypted: true }, { key })
    for (const { id } of [burning, encrypted]) {
      const html = await (await send(`/${id}`, { headers })).text()
      expect(html).not.toContain('private = 1')
      expect(html.slice(0, html.indexOf('</head>'))).not.toMatch(/python/i)
      expect(getTag(html, 'og:title')).toBe('Regent')
      expect((await send(`/${id}/preview.png`, { headers })).status).toBe(404)
    }
    const { results } = await env.DB.prepare('SELECT views FROM documents WHERE id IN (?1, ?2)')
      .bind(burning.id, encrypted.id)
      .all()
    expect(results).toEqual([{ views: 0 }, { views: 0 }])
  })
})
