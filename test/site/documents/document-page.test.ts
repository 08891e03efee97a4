import { describe, expect, it } from 'vitest'
import type { Document } from '../../../src/documents/document.ts'
import { getTextFacts } from '../../../src/ui/text-facts.ts'
import { account, session } from '../../support/accounts.ts'
import { create, read, send } from '../../support/client.ts'
import { postForm, requestPage } from '../../support/site/forms.ts'
import { findDocument } from '../../support/storage/contents.ts'

describe('the page of a document', () => {
  it('shows the text, escaped and with line numbers, and its facts and links', async () => {
    const { key, username } = await account()
    const settings = { language: 'typescript', expiration: null, title: '<i>Safe</i>' }
    const { id } = await create('a <script>alert("x")</script>\n& so on\n', settings, { key })
    const { status, headers, html } = await requestPage(`/${id}`)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8/i)
    expect(html).toMatch(/^<!doctype html><html lang="en">/i)
    expect(html).toContain('&lt;script&gt;alert("x")&lt;/script&gt;\n&amp; so on\n</code>')
    const scripts = html.match(/<script[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) {
      expect(script).toMatch(/^<script type="module" src="\/assets\/immutable\/[\w-]+\.js">$/)
    }
    expect(html).toContain('aria-hidden="true"><span id="L1">1</span>\n<span id="L2">2</span></pre>')
    expect(html).toContain('<h1 dir="auto" title="&lt;i&gt;Safe&lt;/i&gt;">&lt;i&gt;Safe&lt;/i&gt;</h1>')
    expect(html).toContain(`href="/r/${id}"`)
    for (const fact of ['TypeScript', '1 view', username, 'never expires']) expect(html).toContain(fact)
  })

  it('has the first rows of a table without scripts, escaped, and its source', async () => {
    const { key } = await account()
    const csv = `name;amount\n<b>;1,5\n"x;\ny";2\n${'z;3\n'.repeat(100)}`
    const { id } = await create(csv, { language: 'csv' }, { key })
    const { html } = await requestPage(`/${id}`)
    expect(html.match(/<tr>/g)).toHaveLength(51)
    expect(html).toContain('<th scope="col">name</th><th scope="col" class="number">amount</th>')
    expect(html).toContain('<td dir="auto">&lt;b&gt;</td><td dir="auto" class="number">1,5</td>')
    expect(html).toContain('<td dir="auto">x;\ny</td>')
    expect(html).toContain('name;amount\n&lt;b&gt;;1,5\n')
    expect((await requestPage(`/${id}?view=source`)).html).not.toContain('<table>')
    expect((await requestPage(`/${id}.txt`)).html).not.toContain('<table>')
    expect((await requestPage(`/${(await create('a\tb\n', {}, { key })).id}.tsv`)).html).toContain('<table>')
  })

  it('escapes an unknown language', async () => {
    const { key } = await account()
    const { id } = await create('x', { language: '<b>"' }, { key })
    expect((await requestPage(`/${id}`)).html).toContain('&lt;b&gt;&quot;')
  })

  it('counts a view, and redirects a POST to itself', async () => {
    const { id } = await create('x')
    await requestPage(`/${id}`)
    const { status, headers } = await requestPage(`/${id}`, { method: 'POST' })
    expect({ status, location: headers.get('Location') }).toEqual({ status: 303, location: `/${id}` })
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('doesn’t count its creator as a reader', async () => {
    const user = await account()
    const { id } = await create('x', {}, { key: user.key })
    const { html } = await requestPage(`/${id}`, { headers: await session(user) })
    expect(html).not.toMatch(/\d+ views?/)
    expect((await requestPage(`/${id}`)).html).toContain('1 view')
  })

  it('says first that it is public, encrypted or read once', async () => {
    const { key } = await account()
    const listed = await create('x', { public: true }, { key })
    const encrypted = await create('x', { encrypted: true }, { key })
    const badge = (name: string) =>
      new RegExp(`<p class="facts-line"><span class="badge(?: \\w+)?">.*?</svg>${name}</span>`)
    expect((await requestPage(`/${listed.id}`)).html).toMatch(badge('Public'))
    expect((await requestPage(`/${encrypted.id}`)).html).toMatch(badge('Encrypted'))
    const user = await account()
    const once = await create('x', { instant_delete: true }, { key: user.key })
    const { html } = await requestPage(`/${once.id}`, { headers: await session(user) })
    expect(html).toMatch(badge('Read once'))
  })

  it('shows a title once if it is the heading of the rendered text', async () => {
    const { key } = await account()
    const { id } = await create('# Notes\n\nText\n', { language: 'markdown' }, { key })
    expect((await requestPage(`/${id}`)).html).toContain(
      '<h1 dir="auto" class="visually-hidden" title="Notes">Notes</h1>',
    )
    expect((await requestPage(`/${id}?view=source`)).html).toContain(
      '<h1 dir="auto" title="Notes">Notes</h1>',
    )
    const titled = await create('# Notes\n\nText\n', { language: 'markdown', title: 'Other' }, { key })
    expect((await requestPage(`/${titled.id}`)).html).toContain('<h1 dir="auto" title="Other">Other</h1>')
    const paragraph = await create('Notes\n\nText\n', { language: 'markdown' }, { key })
    expect((await requestPage(`/${paragraph.id}`)).html).toContain('<h1 dir="auto" title="Notes">Notes</h1>')
  })

  it('has all security headers, like every page', async () => {
    const { id } = await create('x')
    for (const path of [`/${id}`, '/', '/nothing/here', `/r/xxxxxxxx`]) {
      const { headers } = await requestPage(path)
      const policy = headers.get('Content-Security-Policy')
      for (const part of [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy).toContain(part)
      }
      expect(policy).not.toContain('unsafe')
      expect(headers.get('Referrer-Policy')).toBe('same-origin')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
      expect(headers.get('Permissions-Policy')).toContain('camera=()')
    }
  })
})

describe('the heading of a document’s page', () => {
  const findHeading = async (id: string) =>
    /<h1[^>]*>(.*?)<\/h1>/.exec((await requestPage(`/${id}`)).html)?.[1]

  it('is the given title', async () => {
    const { key } = await account()
    const { id } = await create('text', { title: 'A & B' }, { key })
    expect(await findHeading(id)).toBe('A &amp; B')
    expect((await requestPage(`/${id}`)).html).toContain('<title>A &amp; B · Regent</title>')
  })

  it('is a heading or a comment without one, or else the length', async () => {
    expect(await findHeading((await create('#!/bin/bash\n# Deploys\n')).id)).toBe('Deploys')
    expect(await findHeading((await create('{\n}\n')).id)).toBe('2 lines')
  })
})

describe('the address of a document with a file extension', () => {
  it('shows the document in the language of the extension', async () => {
    const { id } = await create('a = 1\n')
    for (const [extension, label, language] of [
      ['py', 'Python', 'python'],
      ['tsx', 'TSX', 'tsx'],
      ['md', 'Markdown', 'markdown'],
    ]) {
      const { status, html } = await requestPage(`/${id}.${extension}`)
      expect(status).toBe(200)
      expect(html).toContain(`<span id="shown-language">${label}</span>`)
      expect(html).toContain(`data-language="${language}"`)
      expect(html).not.toContain('data-detect')
    }
  })

  it.each(['md', 'Markdown', 'mkd'])('tells scripts the name of the language %s', async (language) => {
    const { key } = await account()
    const { id } = await create('# A\n', { language }, { key })
    expect((await requestPage(`/${id}`)).html).toContain('data-language="markdown"')
  })

  it('shows the document as it is if the extension is unknown', async () => {
    const { key } = await account()
    const { id } = await create('let a', { language: 'rust' }, { key })
    for (const extension of ['unknown', '', 'a.b', '%22%3E'])
      expect((await requestPage(`/${id}.${extension}`)).html).toContain('data-language="rust"')
  })

  it('has an entity tag of its own', async () => {
    const { id } = await create('a = 1\n')
    const tags = await Promise.all(
      ['', '.py', '.rb'].map(async (extension) => (await send(`/${id}${extension}`)).headers.get('ETag')),
    )
    expect(new Set(tags).size).toBe(3)
  })

  it('asks before it burns a document, and shows it in the language of the extension', async () => {
    const { key } = await account()
    const { id } = await create('a = 1\n', { instant_delete: true }, { key })
    const { html } = await requestPage(`/${id}.py`)
    expect(html).toContain(`<form method="post" action="/${id}.py">`)
    expect(html).not.toContain('a = 1')
    const burned = await requestPage(`/${id}.py`, postForm({}))
    expect(burned.html).toContain('data-language="python"')
    expect(burned.html).toContain('a = 1')
    expect((await requestPage(`/${id}.py`)).status).toBe(404)
  })

  it('asks for the password of an encrypted document', async () => {
    const { key } = await account()
    const { id, password = '' } = await create('a = 1\n', { encrypted: true }, { key })
    const { html } = await requestPage(`/${id}.py`)
    expect(html).toContain(`<form method="post" action="/${id}.py">`)
    expect((await requestPage(`/${id}.py`, postForm({ password }))).html).toContain('data-language="python"')
  })

  it('is not found without such a document', async () => {
    for (const path of ['/xxxxxxxx.py', '/x.py', '/.py']) expect((await requestPage(path)).status).toBe(404)
  })
})

describe('the language of a document', () => {
  it('is detected in the page only if nobody chose one', async () => {
    const { key } = await account()
    const chosen = await create('a', { language: 'plaintext' }, { key })
    expect((await requestPage(`/${chosen.id}`)).html).not.toContain('data-detect')
    const open = await create('a')
    expect((await requestPage(`/${open.id}`)).html).toContain('data-detect')
  })

  it('is detected by a given title, but not by the first line, which may only look like a file name', async () => {
    const { key } = await account()
    const titled = await create('a = 1', { title: 'a.py' }, { key })
    expect((await requestPage(`/${titled.id}`)).html).toContain('data-detect="a.py"')
    const untitled = await create('diff --git a/x.ts b/x.ts\n')
    expect((await requestPage(`/${untitled.id}`)).html).toContain('data-detect=""')
  })
})

describe('how a reader wants texts displayed', () => {
  it('is in the page, and in its entity tag', async () => {
    const { id } = await create('x')
    const { html, headers } = await requestPage(`/${id}`, { headers: { Cookie: 'display=wrap18' } })
    expect(html).toContain('<section class="text wrapped size-18"')
    expect(html).toMatch(/data-tool="wrap"[^>]*/)
    expect(headers.get('ETag')).not.toBe((await send(`/${id}`)).headers.get('ETag'))
  })
})

describe('the text on the page', () => {
  it('keeps carriage returns, and shows NUL as a replacement character', async () => {
    const { id } = await create('a\r\nb\rc\0')
    expect((await requestPage(`/${id}`)).html).toContain('>a&#13;\nb&#13;c\uFFFD</code>')
  })

  it('is downloaded under a name that every file system accepts', async () => {
    const { key } = await account()
    const findDownloadName = async (text: string, language: string) => {
      const { id } = await create(text, { language }, { key })
      return /download="([^"]*)"/.exec((await requestPage(`/${id}`)).html)?.[1]?.replace(id, 'ID')
    }
    expect(await findDownloadName('# A "heading"/..\\: what\n', 'markdown')).toBe('A-heading-what.md')
    expect(await findDownloadName('import x from "y"', 'typescript')).toBe('ID.ts')
    expect(await findDownloadName('con', 'plaintext')).toBe('ID.txt')
    expect(await findDownloadName('\n"<>\n', 'plaintext')).toBe('ID.txt')
    expect(await findDownloadName('x', '../"evil')).toBe('ID.txt')
  })
})

describe('the page of a long document', () => {
  it('contains all of the text, escaped and in chunks', async () => {
    const text = '<b>😀</b> & "so" on\n'.repeat(20_000)
    const { id } = await create(text)
    const { html, headers } = await requestPage(`/${id}`)
    expect(headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8/i)
    const escaped = '&lt;b&gt;😀&lt;/b&gt; &amp; "so" on\n'.repeat(20_000)
    const [, shown = ''] = /<code id="text" translate="no">(.*)<\/code>/s.exec(html) ?? []
    // The styles give the last chunk another height, and can't know yet which one it is.
    const chunks = [...shown.matchAll(/<span class="(chunk[^"]*)">/g)].map(([, name]) => name)
    expect([chunks.length, chunks.indexOf('chunk last')]).toEqual([40, 39])
    expect(shown.replaceAll(/<span class="chunk[^"]*">|<\/span>/g, '') === escaped).toBe(true)
    expect(html).toMatch(/<span class="chunk last">19501\n[\d\n]*\n20000<\/span><\/pre>/)
    expect(html.endsWith('</html>')).toBe(true)
  })

  it('starts with the numbers of its first chunk, which are as high as that', async () => {
    const { id } = await create(`${'x'.repeat(9_000)}\n`.repeat(100))
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain('aria-hidden="true"><span class="chunk chunk-2">1\n2\n</span></pre>')
  })

  it('links addresses, but none that hidden characters disguise', async () => {
    const { id } = await create(
      '<https://a.example/?b=1&c=">\nhttps://d.example/\u202Egpj.exe javascript:alert(1)',
    )
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain(
      '&lt;<a href="https://a.example/?b=1&amp;c=" rel="noopener nofollow ugc">https://a.example/?b=1&amp;c=</a>&quot;&gt;',
    )
    expect(html).not.toMatch(/<a href="(?:https:\/\/d|javascript)/)
  })

  it('counts the same lines everywhere if CR ends them, and names it', async () => {
    const { id } = await create('one\rtwo\rthree')
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain('<span id="L3">3</span>')
    expect(html).not.toContain('id="L4"')
    expect(html).toContain('CR line breaks')
    expect(html).toContain('data-line-breaks="cr"')
    expect(await (await send(`/r/${id}`)).text()).toBe('one\rtwo\rthree')
    expect(await (await send(`/r/${id}?lines=2`)).text()).toBe('two\r')
    const progress = await create(' 10%\r 50%\r100%')
    expect((await requestPage(`/${progress.id}`)).html).not.toContain('id="L2"')
  })

  it('does not contain ten million line numbers for 10 MiB of line breaks', async () => {
    const { id } = await create('\n'.repeat(10 * 1024 * 1024))
    const response = await send(`/${id}`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength
    expect(bytes).toBeGreaterThan(10 * 1024 * 1024)
    expect(bytes).toBeLessThan(11 * 1024 * 1024)
  })
})

describe('the page of an encrypted document', () => {
  it('asks for the password, and shows the text only for the right one', async () => {
    const { key } = await account()
    const { id, password = '' } = await create('the secret', { encrypted: true }, { key })
    const asking = await requestPage(`/${id}`)
    expect(asking.status).toBe(200)
    expect(asking.html).toContain('<label for="password">Password</label>')
    expect(asking.html).toContain(`<form method="post" action="/${id}">`)
    const wrong = await requestPage(`/${id}`, postForm({ password: 'wrong' }))
    expect(wrong.status).toBe(400)
    expect(wrong.html).toMatch(/role="alert"[^>]*>[^<]*Wrong password/)
    expect(wrong.html).not.toContain('wrong"')
    for (const fields of [{ password: '' }, {}] as Record<string, string>[]) {
      const missing = await requestPage(`/${id}`, postForm(fields))
      expect(missing.status).toBe(400)
      expect(missing.html).toContain('name="password"')
      expect(missing.html).not.toContain('role="alert"')
    }
    const right = await requestPage(`/${id}`, postForm({ password }))
    expect(right.status).toBe(200)
    expect(right.html).toContain('the secret')
    expect(right.html).not.toContain(password)
    expect(right.headers.get('Cache-Control')).toBe('no-store')
    expect((await read(`${id}?password=${password}`)).body.data.views).toBe(2)
  })
})

const find = async (id: string) => (await findDocument(id)) as Document

it('finds out what a page says about a content once', async () => {
  const document = await find((await create('# Title\n\nan excerpt\u202E')).id)
  const facts = getTextFacts(document, '# Title\n\nan excerpt\u202E')
  expect(facts).toMatchObject({
    chunks: { lineCount: 3, linesPerChunk: null },
    derivedTitle: 'Title',
    hidden: { bidirectional: { count: 1, firstLine: 3 }, invisible: null },
  })
  expect(getTextFacts(document, '# Title\n\nan excerpt\u202E')).toBe(facts)
})

it.each([{ encrypted: true }, { instant_delete: true }])(
  'keeps nothing of a document with %j',
  async (settings) => {
    const { key } = await account()
    const document = await find((await create('x', settings, { key })).id)
    expect(getTextFacts(document, 'secret')).not.toBe(getTextFacts(document, 'secret'))
  },
)

describe('the warning about hidden characters', () => {
  it('says how many there are, and links to the first', async () => {
    const { id } = await create('a\nb\u202Ec\u2066d\nword\u200Bword\0', undefined)
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain('role="note"')
    expect(html).toMatch(/2 bidirectional control characters \(<a href="#L2">first on line 2<\/a>\)/)
    expect(html).toMatch(/2 invisible characters \(<a href="#L3">first on line 3<\/a>\)/)
  })

  it('appears on the page of a long document', async () => {
    const { id } = await create(`${'line\n'.repeat(50_000)}\u202E`)
    expect((await requestPage(`/${id}`)).html).toContain(
      'bidirectional control character (<a href="#L50001">',
    )
  })

  it('does not appear for emoji, joined scripts and ideographs', async () => {
    const { id } = await create('👨‍👩‍👧 ❤️ می‌خواهم क्‍ष')
    expect((await requestPage(`/${id}`)).html).not.toContain('role="note"')
  })
})
