import { describe, expect, it } from 'vitest'
import { create, send } from '../support/client.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const ANY = '*/*'

/** `User-Agent` and `Accept`, as the programs send them. */
const PAGES: readonly (readonly [agent: string, accept: string | null])[] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    BROWSER,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    BROWSER,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', BROWSER],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    BROWSER,
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    BROWSER,
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'text/html, application/xhtml+xml, image/jxr, */*',
  ],
  [
    'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18',
    'text/html, application/xml;q=0.9, */*;q=0.1',
  ],
  ['Lynx/2.9.0 libwww-FM/2.14', 'text/html, text/plain, text/sgml, */*;q=0.01'],
  ['w3m/0.5.3+git20230121', 'text/html, text/*;q=0.5, image/*, application/*'],
  ['ELinks/0.17 (textmode; Linux 6.1 x86_64; 80x24-2)', 'text/html, */*'],
  ['Dillo/3.1.1', 'text/*,image/*,*/*;q=0.2,text/html'],
  ['NetSurf/3.11 (Linux)', BROWSER],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', ANY],
  ['WhatsApp/2.23.20.0', ANY],
  ['Twitterbot/1.0', ANY],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', ANY],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', null],
  ['TelegramBot (like TwitterBot)', ANY],
  ['LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)', ANY],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com', ANY],
  ['Mastodon/4.4.0 (http.rb/5.3.1; +https://mastodon.example/) Bot', ANY],
  ['Synapse (bot; +https://github.com/matrix-org/synapse)', 'text/html;q=0.9,*/*;q=0.1'],
  ['Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)', ANY],
  ['Iframely/1.3.1 (+https://iframely.com/docs/about)', ANY],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', BROWSER],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', ANY],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', ANY],
  ['DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)', ANY],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)', ANY],
  ['Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)', ANY],
]

const TEXTS: readonly (readonly [agent: string, accept: string | null])[] = [
  ['curl/8.5.0', ANY],
  ['curl/8.5.0', 'text/html'],
  ['Wget/1.21.4', ANY],
  ['HTTPie/3.2.2', ANY],
  ['xh/0.22.0', ANY],
  ['Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4894', null],
  ['Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.6', null],
  ['Mozilla/5.0 (Macintosh; Darwin 23.6.0; en-US) PowerShell/7.4.6', ANY],
  ['ModmailBot/1.0', ANY],
  ['DiscordBot (https://github.com/discord-bot, 1.0) Python/3.12', ANY],
  ['MyPasteBot/2.1', ANY],
  ['python-requests/2.32.3', ANY],
  ['python-httpx/0.27.2', ANY],
  ['Python-urllib/3.12', null],
  ['Python/3.12 aiohttp/3.10.5', ANY],
  ['Go-http-client/1.1', null],
  ['Go-http-client/2.0', null],
  ['axios/1.7.7', 'application/json, text/plain, */*'],
  ['node', ANY],
  ['undici', ANY],
  ['node-fetch/1.0 (+https://github.com/bitinn/node-fetch)', ANY],
  ['got (https://github.com/sindresorhus/got)', null],
  ['okhttp/4.12.0', null],
  ['Java/21.0.4', 'text/html, image/gif, image/jpeg, */*; q=0.2'],
  ['Java-http-client/21.0.4', null],
  ['Apache-HttpClient/5.3.1 (Java/21.0.4)', null],
  ['Ruby', ANY],
  ['Faraday v2.10.0', ANY],
  ['GuzzleHttp/7', null],
  ['PHP/8.3.0', null],
  ['libwww-perl/6.77', null],
  ['reqwest/0.12.7', ANY],
  ['Dart/3.5 (dart:io)', null],
  ['ShareX/16.1.0', null],
  ['PostmanRuntime/7.42.0', ANY],
  ['insomnia/10.1.0', ANY],
  ['Emacs (Gnus) url.el', ANY],
  ['pastebinit v1.6.2', ANY],
  ['aria2/1.37.0', ANY],
  ['fetch libfetch/2.0', ANY],
  ['BusyBox', null],
  ['Mastodon.py/1.8.1', ANY],
]

const describeAnswer = (response: Response): string => response.headers.get('Content-Type') ?? ''

const toHeaders = (agent: string, accept: string | null) => ({
  'User-Agent': agent,
  ...(accept !== null && { Accept: accept }),
})

describe('a document at its address', () => {
  it.each(PAGES)('is a page for %s, which accepts %s', async (agent, accept) => {
    const { id } = await create('text')
    expect(describeAnswer(await send(`/${id}`, { headers: toHeaders(agent, accept) }))).toMatch(/^text\/html/)
  })

  it.each(TEXTS)('is text for %s, which accepts %s', async (agent, accept) => {
    const { id } = await create('text')
    const headers = toHeaders(agent, accept)
    const response = await send(`/${id}`, { headers })
    expect({ type: describeAnswer(response), text: await response.text() }).toEqual({
      type: 'text/plain; charset=utf-8',
      text: 'text',
    })
    const posted = await send('/', { method: 'POST', body: 'text', headers })
    expect({ status: posted.status, type: describeAnswer(posted) }).toEqual({
      status: 201,
      type: 'text/plain; charset=utf-8',
    })
  })

  it('has at least sixty of them', () => {
    expect(PAGES.length + TEXTS.length).toBeGreaterThan(60)
  })
})
