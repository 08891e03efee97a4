import { describe, expect, it } from 'vitest'
import { HOSTILE_MARKDOWN } from '../../../bench/hostile-markdown.ts'
import {
  HtmlCost,
  type MarkdownPart,
  renderMarkdownParts,
} from '../../../src/client/markdown/parse/render-markdown.ts'
import { MAX_RENDERED } from '../../../src/shared/display.ts'
import { useLanguageFiles } from '../language-files.ts'

useLanguageFiles()

/** Fails if a browser would take too long for a part, or if a part changes the next one. */
function expectBoundedParts(parts: readonly MarkdownPart[]): void {
  const costs = parts.map(({ html }) => {
    const cost = new HtmlCost()
    cost.add(html)
    return cost
  })
  expect(Math.max(...parts.map(({ html }) => html.length))).toBeLessThan(300_000)
  expect(Math.max(...costs.map(({ nodes }) => nodes))).toBeLessThan(4_200)
  expect(Math.max(...costs.map(({ depth }) => depth))).toBeLessThan(110)
  expect(costs.some(({ isCut, isInContainer }) => isCut || isInContainer)).toBe(false)
}

async function renderParts(text: string): Promise<MarkdownPart[]> {
  const parts: MarkdownPart[] = []
  for await (const part of renderMarkdownParts(text)) parts.push(part)
  return parts
}

const render = async (text: string) => (await renderParts(text)).map(({ html }) => html).join('')

describe('rendered Markdown', () => {
  it('comes in parts that together are the whole, each with the line that it starts on', async () => {
    const parts = await renderParts('# a\n\n- *b*\n- c\n\n'.repeat(5_000))
    expect(parts.length).toBeGreaterThan(5)
    const html = parts.map((part) => part.html).join('')
    expect(html.replaceAll(/ id="[^"]*"/g, '')).toBe(
      '<h1>a</h1>\n<ul>\n<li><em>b</em></li>\n<li>c</li>\n</ul>\n'.repeat(5_000),
    )
    for (const { line, html } of parts.slice(0, -1)) expect(line % 5).toBe(html.startsWith('<h1') ? 0 : 2)
  })

  it.each([
    ['paragraph', `${'*a* '.repeat(100_000)}\n`, 'Line 3 is'],
    ['paragraph of directions', `${'abc \u202Eדעה\u202C 12 '.repeat(2_000)}\n`, 'Line 3 is'],
    ['paragraph of emoji', `${'\u{1F468}\u200D'.repeat(300_000)}\n`, 'Line 3 is'],
    ['quote', `> ${'<b>x</b>'.repeat(2_000)}\n`, 'Line 3 is'],
    ['quote of quotes', `${'>'.repeat(200)} lost\n`, 'Line 3 is'],
    ['block of code', `\`\`\`\n${'x\n'.repeat(800_000)}\`\`\`\n`, 'Lines 3–800004 are'],
    ['block of nested HTML', '<details>\n<summary>s</summary>\n'.repeat(20_000), 'Lines 3–40002 are'],
    [
      'row of blocks that are nested',
      `${'<div>\n\n'.repeat(200)}${'</div>\n'.repeat(200)}`,
      'Lines 3–602 are',
    ],
  ])('shows the source of a %s that is too large, with a line that says why', async (_, large, notice) => {
    const parts = await renderParts(`# before\n\n${large}\n# after\n`)
    const html = parts.map((part) => part.html).join('')
    expect(html.slice(0, 1_000)).toMatch(
      /^<h1 id="before">before<\/h1>\n<p><em>\(.* too long or too deeply nested/,
    )
    expect(html).toContain(`(${notice} too long`)
    expect(html.endsWith('</pre>\n<h1 id="after">after</h1>\n')).toBe(true)
    const source = [...html.matchAll(/<pre class="md-source">\n([^<]*)<\/pre>/g)].map(([, text]) => text)
    expect(source.join('').replaceAll('&lt;', '<').replaceAll('&gt;', '>').trimEnd()).toBe(large.trimEnd())
    expect(Math.max(...source.map((text = '') => text.length))).toBeLessThan(20_000)
  })

  it('renders a long block of code, of which only the beginning has colours', async () => {
    const html = await render(`\`\`\`js\n${'let a = [1]\n'.repeat(3_000)}\`\`\`\n`)
    expect(html).toMatch(/^<pre><code><span class="tok-keyword">let/)
    expect(html.endsWith('let a = [1]\n</code></pre>\n')).toBe(true)
    expect(html).not.toContain('too long')
  })

  it('renders a long table, a long list and many footnotes in pieces', async () => {
    const notes = Array.from({ length: 2_000 }, (_, n) => `[^${n}]: note\n`).join('')
    const references = Array.from({ length: 2_000 }, (_, n) => `[^${n}]\n\n`).join('')
    const list = '1. a\n'.repeat(2_000)
    const parts = await renderParts(`a|b\n-|-\n${'c|d\n'.repeat(2_000)}\n${list}\n${references}${notes}`)
    const html = parts.map((part) => part.html).join('')
    expect(html.match(/<td>d<\/td>/g)).toHaveLength(2_000)
    expect(html.match(/<th>/g)).toHaveLength(2)
    expect(html.match(/<li>a<\/li>/g)).toHaveLength(2_000)
    expect(html.match(/<li id="fn:/g)).toHaveLength(2_000)
    const starts = [...html.matchAll(/<ol start="(\d+)">\n<li>a/g)].map(([, start]) => Number(start))
    expect(starts.length).toBeGreaterThan(5)
    expect(html.slice(0, html.indexOf(`<ol start="${starts[0]}"`)).match(/<li>a/g)).toHaveLength(
      (starts[0] ?? 0) - 1,
    )
    expect(html).toMatch(/<ol start="\d+">\n<li id="fn:/)
  })

  it('shows the source of everything from where it would have too much HTML', async () => {
    const parts = await renderParts(`${'*a*\n\n'.repeat(50_000)}end\n`)
    const html = parts.map((part) => part.html).join('')
    expect(html).toMatch(/\(Lines \d+–\d+ are too long/)
    expect(parts.at(-1)?.html).toMatch(/end\n<\/pre>\n$/)
    expect(html.match(/<p>/g)?.length).toBeLessThan(50_000)
    expectBoundedParts(parts)
  })

  it.each(Object.entries(HOSTILE_MARKDOWN))(
    'comes soon, in parts that a browser can take: %s',
    async (_, createText) => {
      expect(Buffer.byteLength(createText())).toBeLessThanOrEqual(MAX_RENDERED)
      const parts = await renderParts(createText(64 * 1024))
      expectBoundedParts(parts)
    },
  )

  it('closes what the author left open, so that it does not change what follows', async () => {
    expect(await render('<b>x\n\n<div><i>y\n')).toBe('<p><b>x</p>\n</b><div><i>y\n</i></div>')
    expect(await render('<constructor><p></constructor>')).toBe(
      '<p><constructor><p></constructor></p>\n</constructor></p>',
    )
    expect(await render('<div title="\n\nafter\n')).toBe('<p>&lt;div title="\n</p>\n<p>after</p>\n')
  })

  it.each([
    ['elements', '<details>\n<summary>s</summary>\n\n'.repeat(8_000)],
    ['quotes', `${'> '.repeat(50_000)}x`],
    ['lists', Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth * 2)}- x\n`).join('')],
    ['links', '['.repeat(120_000)],
    ['emphasis', '*a **a '.repeat(15_000)],
    ['footnotes', '[^'.repeat(50_000)],
    ['comments', '<!--'.repeat(250_000)],
    ['unclosed tags', '<a '.repeat(300_000)],
    ['code fences', '```js\n((((((((\n```\n'.repeat(10_000)],
  ])('takes a bounded time for many nested or unfinished %s', async (_, text) => {
    await render(text)
  })

  it('keeps the blocks of an HTML element together in one part', async () => {
    const parts = await renderParts(`<details>\n\n${'word\n\n'.repeat(500)}</details>\n\nafter\n`)
    expect(parts[0]?.html).toContain('</details>')
    expect(parts.at(-1)?.html).toContain('after')
  })
})

const getRows = (html: string) =>
  [...html.matchAll(/<th scope="row">([^<]*)<\/th><td>([^<]*)/g)].map(([, key, value]) => [key, value])

describe('the metadata at the start of Markdown', () => {
  it.each([
    [
      'YAML',
      '---\ntitle: "A & <b>"\nversion: 1.10\ndate: 2024-05-01 # when\ntags: [a, b]\ndraft: true\nempty:\n---\n',
      [
        ['title', 'A &amp; &lt;b&gt;'],
        ['version', '1.10'],
        ['date', '2024-05-01'],
        ['tags', 'a, b'],
        ['draft', 'true'],
        ['empty', ''],
      ],
    ],
    [
      'TOML',
      "+++\ntitle = 'A'\ndate = 2024-05-01\ntags = ['a', 'b']\n+++\n",
      [
        ['title', 'A'],
        ['date', '2024-05-01'],
        ['tags', 'a, b'],
      ],
    ],
    ['text with the line breaks of Windows', '---\r\na: b\r\n---\r\n', [['a', 'b']]],
    [
      'folded text',
      '---\na: >\n  one\n  two\nb: 1\n---\n',
      [
        ['a', 'one two'],
        ['b', '1'],
      ],
    ],
  ])('is a table: %s', async (_, metadata, rows) => {
    const parts = await renderParts(`${metadata}\n# Heading\n\n---\n`)
    const html = parts.map((part) => part.html).join('')
    expect(getRows(html)).toEqual(rows)
    expect(html.endsWith('</tbody></table>\n<h1 id="heading">Heading</h1>\n<hr>\n')).toBe(true)
  })

  it('has tables for what is nested in it', async () => {
    const html = await render('---\nauthor:\n  name: Ada\nlinks:\n  - {to: x}\n  - {to: y}\n---\n')
    expect(html.match(/<table/g)).toHaveLength(4)
    expect(html).toContain('<td>Ada</td>')
  })

  it.each([
    ['that is not readable', '---\na: [1\nb: "\n---\n'],
    [
      'with aliases that grow without end',
      `---\na: &a [x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n---\n`,
    ],
    ['that repeats a long value', `---\ns: &s ${'x'.repeat(16_000)}\nl: [${'*s, '.repeat(190)}]\n---\n`],
    ['that is too long', `---\n${'a: b\n'.repeat(10_000)}---\n`],
    ['that is nested too deeply', `---\na: ${'['.repeat(50)}${']'.repeat(50)}\n---\n`],
  ])('is code in the same lines: metadata %s', async (_, metadata) => {
    const html = await render(`${metadata}\nafter\n`)
    expect(html).toMatch(/^<pre><code>/)
    expect(html.match(/<p>|<h\d|<hr/g)).toEqual(['<p>'])
  })

  it('keeps the lines of what follows', async () => {
    const parts = await renderParts(`---\na: b\n---\n\n${'word\n\n'.repeat(5_000)}`)
    expect(parts.at(-1)?.line).toBeGreaterThan(5_000)
    expect((parts.at(-1)?.line ?? 0) % 2).toBe(0)
  })

  it.each(['---\nno metadata\n---\n', '---\n\ntext\n\n---\n', 'text\n\n---\na: b\n---\n'])(
    'is not what is between two rules: %j',
    async (markdown) => {
      expect(await render(markdown)).toMatch(/<hr>/)
    },
  )

  it('is not long text between two rules', async () => {
    const html = await render(`---\n\n${'Some words of prose.\n\n'.repeat(2_000)}---\n`)
    expect(html.match(/<p>/g)).toHaveLength(2_000)
    expect(html).not.toContain('<pre>')
  })
})

describe('GitHub Flavored Markdown', () => {
  it('gives headings the ids of github.com', async () => {
    const html = await render(
      '# Hello, *world*!\n\n## Hello, world\n\n### `code` & über\n\n# :tada: Yes\n\n# ?!\n',
    )
    expect([...html.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'hello-world',
      'hello-world-1',
      'code--über',
      'tada-yes',
    ])
  })

  it('marks alerts by their kind', async () => {
    const html = await render('> [!WARNING]\n> Careful\n>\n> > quoted\n\n> [!note]\n\n> [!OTHER]\n> x\n')
    expect(html).toBe(
      '<div class="md-alert md-alert-warning">\n<p>Careful</p>\n<blockquote>\n<p>quoted</p>\n</blockquote>\n</div>\n' +
        '<blockquote>\n<p>[!note]</p>\n</blockquote>\n<blockquote>\n<p>[!OTHER]\nx</p>\n</blockquote>\n',
    )
  })

  it('lets an alert start with something other than a paragraph', async () => {
    expect(await render('> [!TIP]\n> - a\n')).toMatch(
      /^<div class="md-alert md-alert-tip">\s*<ul>\n<li>a<\/li>\n<\/ul>\n<\/div>\n$/,
    )
  })

  it('marks tasks', async () => {
    expect(await render('- [ ] a\n- [X] *b*\n- [y] c\n- [x]\n')).toBe(
      '<ul>\n<li class="md-task">a</li>\n<li class="md-task md-done"><em>b</em></li>\n<li>[y] c</li>\n<li>[x]</li>\n</ul>\n',
    )
  })

  it('numbers footnotes, and links from each back to its references', async () => {
    const html = await render('a[^x] b[^y] c[^x] ^[none]\n\n[^y]: Second\n[^x]: First\n[^z]: Unused\n')
    expect(html).toContain('a<sup><a class="md-footnote" href="#fn:1" id="fnref:1">1</a></sup>')
    expect(html).toContain('c<sup><a class="md-footnote" href="#fn:1" id="fnref:1:2">1</a></sup> ^[none]')
    expect(html).toContain(
      '<li id="fn:1"><p>First <a class="md-back" href="#fnref:1">↩\uFE0E</a> <a class="md-back" href="#fnref:1:2">↩\uFE0E<sup>2</sup></a></p>\n</li>',
    )
    expect(html).not.toContain('Unused')
  })

  it('keeps what follows a footnote at the start of another in the outer one', async () => {
    const html = await render('a[^x] b[^y]\n\n[^x]: [^y]: Inner\n\n    Outer\n')
    expect(html).toMatch(/<li id="fn:1"><p>Outer .*<\/p>\n<\/li>\n<li id="fn:2"><p>Inner /)
  })

  it('links addresses, but no file names', async () => {
    const html = await render(
      'https://a.example/x, www.b.example. c@d.example README.md ftp://e.example //f.example\n',
    )
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'https://a.example/x',
      'http://www.b.example',
      'mailto:c@d.example',
    ])
  })

  it('aligns columns without styles', async () => {
    const html = await render('a|b|c\n:-|:-:|-:\n1|2|~~3~~\n')
    expect(html).toContain(
      '<td align="left">1</td>\n<td align="center">2</td>\n<td align="right"><s>3</s></td>',
    )
    expect(html).not.toContain('style=')
  })

  it.each([
    ['~one~ ~~two~~ H~2~O', '<s>one</s> <s>two</s> H<s>2</s>O'],
    ['a ~~~three~~~', 'a ~~~three~~~'],
    ['~~uneven~ and ~uneven~~ ~~x~', '<s>uneven~ and ~uneven</s> ~~x~'],
    ['about ~5 or ~10 minutes, ~/bin', 'about ~5 or ~10 minutes, ~/bin'],
    [
      '~~a ~b~ c~~ [~x~](#x) \\~no~ `~no~`',
      '<s>a <s>b</s> c</s> <a href="#x"><s>x</s></a> ~no~ <code>~no~</code>',
    ],
    ['~a *b~ c*', '<s>a *b</s> c*'],
  ])('strikes through what is between one or two tildes: %s', async (markdown, expected) => {
    expect(await render(`${markdown}\n`)).toBe(`<p>${expected}</p>\n`)
  })

  it('replaces the short names of emoji, except in code', async () => {
    expect(await render(':tada: :+1: :constructor: 10:30:00 `:tada:`\n')).toBe(
      '<p>🎉 👍 :constructor: 10:30:00 <code>:tada:</code></p>\n',
    )
  })

  it('highlights fenced code by its language', async () => {
    const html = await render('```ts title="a.ts"\nconst a = "<b>"\n```\n\n```nothing"onclick=x\n<b>\n```\n')
    expect(html).toBe(
      '<pre><code><span class="tok-keyword">const</span> <span class="tok-definition">a</span> = <span class="tok-string">"&lt;b&gt;"</span>\n</code></pre>\n' +
        '<pre><code>&lt;b&gt;\n</code></pre>\n',
    )
  })

  it('leaves out styles of the author, which would only be reported', async () => {
    expect(await render('<p style="color:red">style="x"</p>\n\n<style>p { }</style>\n')).toBe(
      '<p data-style="color:red">style="x"</p>\n\n',
    )
  })

  it('passes HTML of the author on, to be sanitized', async () => {
    expect(await render('<b>x</b>\n')).toBe('<p><b>x</b></p>\n')
  })
})
