import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { create, read, send } from '../../support/client.ts'

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
    const { id } = await create('a = 1\n'.repeat(20_000), { language: 'python', image_embed: true }, { key })
    const answer = await send(`/${id}`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    const start = (await answer.text()).slice(0, 4_096)
    expect(getTag(start, 'og:title')).toBe('a = 1')
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
