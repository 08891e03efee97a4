import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openTestSite, shownText } from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

const ESC = '\x1B'

/** Texts that try to break out of the page, each with the language it is displayed as. */
const HOSTILE_TEXTS: readonly (readonly [name: string, language: string, text: string])[] = [
  [
    'script elements',
    'html',
    '<script>window.ran = 1</script><img src=x onerror="window.ran = 1">\n</script>\n',
  ],
  [
    'closing tags of the elements around it',
    'plaintext',
    '</code></pre></section></main><script>window.ran = 1</script>',
  ],
  [
    'markup in the title',
    'markdown',
    '</title><script>window.ran = 1</script>\n"><svg onload="window.ran = 1">\n',
  ],
  [
    'ends of comments, styles and text areas',
    'javascript',
    '--></style></textarea></noscript></script><script>window.ran=1//',
  ],
  [
    'Markdown links',
    'markdown',
    `# Links\n[a](javascript:window.ran=1) [b](data:text/html,<script>window.ran=1</script>) [c](https://example.com/ "t")
[d](JaVaScRiPt:window.ran=1) <javascript:window.ran=1> [e](&#106;avascript:window.ran=1) [f](vbscript:x) [g](//example.com/x)
[h](mailto:a@example.com) [i](/v1/document/ID) [j]: javascript:window.ran=1
[k](http:/v1/document/ID) [l](java&Tab;script:window.ran=1) <data:text/html,x> [m][n] <HTTPS://example.com>\n\n[n]: vbscript:x\n`,
  ],
  [
    'Markdown images',
    'markdown',
    '![burn](/v1/document/ID) ![x](https://example.com/x.png "t") ![<img src=x>](data:image/svg+xml,<svg/onload=window.ran=1>)\n\n<img src="/v1/document/ID">\n<picture><source srcset="/x"></picture>\n',
  ],
  [
    'names that clobber DOM properties',
    'markdown',
    '<form name=body><input name=cookie id=text></form>\n\n# <a id="rendered">getElementById</a>\n\n[x](#text) <iframe name=top src=/></iframe>\n',
  ],
  [
    'SVG and MathML',
    'xml',
    '<svg><script>window.ran=1</script><style>*{display:none}</style><math><mi xlink:href="data:x,"></svg>',
  ],
  [
    'escape sequences',
    'log',
    `${ESC}[31mred${ESC}[0m ${ESC}]8;;javascript:window.ran=1${ESC}\\link${ESC}]8;;${ESC}\\ ${ESC}[2J${ESC}[999999999;;m<b>${ESC}[38;5mx${ESC}[\n`,
  ],
  [
    'incomplete escape sequences',
    'log',
    `${ESC}[31mred${ESC}]0;never ended\n${ESC}[5;5H${ESC}[1A\rover\r${ESC}P1$r${ESC}\\${ESC}[38;2;1mx${ESC}[${'1;'.repeat(9_999)}mx\x9B31m${ESC}[31`,
  ],
  ['bidirectional controls', 'c', '/*\u202E } \u2066if (admin)\u2069 \u2066 begin */\n\u202E\u202E\u2067\n'],
  ['invisible characters', 'python', 'pass\u200Bword = "\u3164"\n\u{E0041}\u{E0042}\uFEFF\u00AD\n'],
  [
    'all kinds of line breaks and control characters',
    'plaintext',
    '\n\n a\r\nb\rc\x0Bd\x0Ce\u2028f\u2029g\u0085h\x01\x08\x7F\x9B31m\n\n',
  ],
  ['markup as the language', '"><script>window.ran=1</script>', 'x'],
  [
    'a file name with quotes and line breaks',
    'markdown',
    '# a"; filename="evil.html\n\r\n"onclick="window.ran=1\n',
  ],
  [
    'deeply nested Markdown',
    'markdown',
    `${'>'.repeat(3_000)} x\n${'['.repeat(5_000)}\n${'*a '.repeat(5_000)}\n`,
  ],
  [
    'footnotes with hostile names',
    'markdown',
    '[^"onclick=window.ran=1]\n[^__proto__] [^constructor] [^<img src=x onerror=window.ran=1>] [^1][^1]\n\n[^"onclick=window.ran=1]: <javascript:window.ran=1>\n[^__proto__]: [a](javascript:window.ran=1)\n[^constructor]: [^constructor] <svg onload=window.ran=1>\n[^1]: <a id="fn:1" name="fnref:1" href="//x">x</a>\n',
  ],
  [
    'alerts and tasks with markup',
    'markdown',
    '> [!NOTE]<script>window.ran=1</script>\n> x\n\n> [!WARNING]\n> <img src=x onerror=window.ran=1>\n\n- [x] <input autofocus onfocus=window.ran=1>\n- [ ] <form action=/x><button>b</button></form>\n\n<p class="md-alert md-alert-caution banner masthead">x</p>\n',
  ],
  [
    'details and styles',
    'markdown',
    '<details open ontoggle="window.ran=1"><summary class="skip" style="position:fixed;inset:0">s</summary>\n\n</article></main><style>*{display:none}</style>\n\n<div class="footer" style="background:url(/x)" data-copy="text" is="x-y">d</div>\n\n<video poster=/x src=/x autoplay></video><object data=/x></object><embed src=/x>\n',
  ],
  [
    'headings and anchors that clobber',
    'markdown',
    '# text\n\n# text\n\n# __proto__\n\n# cookie\n\n<a name="getElementById"></a><a id="text" name="body">x</a><p id="main">x</p><p id="user-content-text">x</p>\n\n[a](#text) [b](#user-content-text) [c](#%) [d](#"onclick=x)\n',
  ],
  [
    'markup that changes when it is parsed again',
    'markdown',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.ran=1&gt;">\n\n<svg><p><style><a title="</style><img src=x onerror=window.ran=1>">\n\n<noscript><p title="</noscript><img src=x onerror=window.ran=1>">\n\n<template><img src=x onerror=window.ran=1></template><form><math><mtext></form><form><mglyph><style></math><img src onerror=window.ran=1>\n',
  ],
  [
    'code with markup in its language and text',
    'markdown',
    '```html"><img src=x onerror=window.ran=1>\n</code></pre><script>window.ran=1</script>\n```\n\n~~~js\n"</span><img src=x onerror=window.ran=1>"\n~~~\n\n```__proto__\nx\n```\n',
  ],
  [
    'deeply nested HTML',
    'markdown',
    `${'<details><summary>s</summary>'.repeat(2_000)}\n\nx\n\n${'<div><table><tr><td>'.repeat(2_000)}\n\n${'<b><i>'.repeat(2_000)}y\n`,
  ],
  [
    'a Markdown table',
    'markdown',
    '| a | b |\n|:--|--:|\n| <b onclick=x> | `c` |\n\n```"onclick=x\ncode\n```\n',
  ],
]

const site = await openTestSite()

declare global {
  interface Window {
    /** Set by the texts if their scripts run. */
    ran?: number
  }
}

const isMarkdown = ([, language]: (typeof HOSTILE_TEXTS)[number]) => language === 'markdown'

/** Expects that rendered Markdown has only harmless elements and attributes. */
async function expectHarmless(page: Page, name: string): Promise<void> {
  const article = page.locator('article.rendered')
  await article.waitFor({ state: 'attached' })
  const forbidden = article.locator(
    'img, form, input:not([type="checkbox"][disabled]), iframe, object, script, style, video, [name], [style], [onclick], [onerror], [ontoggle]',
  )
  expect(await forbidden.count(), name).toBe(0)
  for (const link of await article.locator('a').all()) {
    expect(await link.getAttribute('rel'), name).toBe('noopener nofollow ugc')
    const address = await link.getAttribute('href')
    if (address !== null) expect(address, name).toMatch(/^(#|https?:\/\/|mailto:)/i)
  }
  const ids = await article.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id))
  expect(
    ids.filter((id) => !id.startsWith('user-content-')),
    name,
  ).toEqual([])
  expect(new Set(ids).size, name).toBe(ids.length)
  // The only drawings are the site's icons, and only the site's own classes have styles.
  expect(await article.locator('svg:not(.md-icon), math').count(), name).toBe(0)
  const classes = await article
    .locator('[class]:not(.md-copy)')
    .evaluateAll((elements) => elements.flatMap((element) => [...element.classList]))
  expect(
    classes.filter((name) => !/^(md|tok)-/.test(name)),
    name,
  ).toEqual([])
  expect(await page.evaluate(() => document.getElementById('text')?.localName), name).toBe('code')
}

describe('hostile texts', () => {
  it.each([
    ['Markdown', HOSTILE_TEXTS.filter(isMarkdown)],
    ['other languages', HOSTILE_TEXTS.filter((text) => !isMarkdown(text))],
  ])('are displayed as text in every view: %s', async (_, texts) => {
    await site.withPage(async (page) => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      for (const [name, language, text] of texts) {
        const { id } = await site.create(text, { language })
        const displayed = text.replaceAll('\0', '\uFFFD')
        requested.length = 0
        await page.goto(`/${id}`)
        expect(await shownText(page), name).toBe(displayed)
        // The browser remembers the choice, so every other text starts wrapped.
        await press(page, 'Wrap')
        if (language === 'markdown') await expectHarmless(page, name)
        if (language === 'log') {
          await page.getByRole('button', { name: 'Log', pressed: true }).waitFor()
          await press(page, 'Source')
        }
        expect(await shownText(page), name).toBe(displayed)
        expect(await page.evaluate(() => ({ ran: window.ran, violations: window.violations })), name).toEqual(
          { violations: [] },
        )
        expect(
          requested.filter((path) => path !== `/${id}` && !path.startsWith('/assets/')),
          name,
        ).toEqual([])
        expect(await page.title(), name).toMatch(/ · Regent$/)
        const raw = await fetch(`${site.service.base}/r/${id}`)
        expect(await raw.text(), name).toBe(text)
        expect(raw.headers.get('Content-Type'), name).toMatch(/^text\/plain/)
      }
    })
  })
})
