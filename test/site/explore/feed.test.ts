import { env } from 'cloudflare:workers'
import { html } from 'hono/html'
import { beforeEach, describe, expect, it } from 'vitest'
import { xmlDocument } from '../../../src/explore/feeds.ts'
import { account } from '../../support/accounts.ts'
import { create, edit, ORIGIN, send, withVars } from '../../support/client.ts'
import { childrenNamed, getText, parseXml, type XmlNode } from './parse-xml.ts'

const ATOM = 'http://www.w3.org/2005/Atom'
/** RFC 3339, as RFC 4287 §3.3 requires. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** What RFC 4287 §4.1.1 and §4.1.2 allow, and whether once at most. */
const ELEMENTS: Readonly<Record<string, Readonly<Record<string, 'once' | 'many'>>>> = {
  feed: { id: 'once', title: 'once', updated: 'once', link: 'many', author: 'many', entry: 'many' },
  entry: {
    id: 'once',
    title: 'once',
    updated: 'once',
    published: 'once',
    summary: 'once',
    link: 'many',
    author: 'many',
    category: 'many',
  },
}

function* findProblems(node: XmlNode): Generator<string> {
  const allowed = ELEMENTS[node.name] ?? {}
  for (const { name } of node.children) if (!allowed[name]) yield `${node.name} can't contain ${name}`
  for (const [name, count] of Object.entries(allowed)) {
    if (count === 'once' && childrenNamed(node, name).length > 1) yield `${node.name} has several ${name}`
  }
  for (const name of ['id', 'title', 'updated']) {
    if (childrenNamed(node, name).length === 0) yield `${node.name} needs ${name}`
  }
  if (!URL.canParse(getText(node, 'id'))) yield `the id of ${node.name} is no absolute IRI`
  for (const name of ['updated', 'published']) {
    for (const { text } of childrenNamed(node, name))
      if (!DATE.test(text)) yield `${name} is no date: ${text}`
  }
  const links = childrenNamed(node, 'link').map(({ attributes: { rel, type, href } }) => ({
    rel,
    type,
    href,
  }))
  for (const { href } of links)
    if (!URL.canParse(href ?? '')) yield `a link needs an absolute address: ${href}`
  const kinds = links.map(({ rel, type }) => `${rel} ${type}`)
  if (new Set(kinds).size < kinds.length) yield `${node.name} has two links of one kind`
  if (!links.some(({ rel }) => rel === (node.name === 'feed' ? 'self' : 'alternate')))
    yield `${node.name} lacks a link`
  for (const author of childrenNamed(node, 'author'))
    if (getText(author, 'name') === '') yield 'an author needs a name'
  for (const { attributes } of childrenNamed(node, 'category'))
    if (!attributes.term) yield 'a category needs a term'
}

/** Parses a feed. Throws an Error that lists where it violates RFC 4287. */
function parseAtom(xml: string): { feed: XmlNode; entries: XmlNode[] } {
  const feed = parseXml(xml)
  const entries = childrenNamed(feed, 'entry')
  const problems = [...findProblems(feed), ...entries.flatMap((entry) => [...findProblems(entry)])]
  if (feed.name !== 'feed' || feed.namespace !== ATOM) problems.push('not a feed')
  const ids = entries.map((entry) => getText(entry, 'id'))
  if (new Set(ids).size < ids.length) problems.push('two entries have one id')
  if (
    childrenNamed(feed, 'author').length === 0 &&
    entries.some((entry) => childrenNamed(entry, 'author').length === 0)
  )
    problems.push('an entry has no author')
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return { feed, entries }
}

/** Returns where the link of a relation leads; undefined without one. */
const findLink = (node: XmlNode, rel: string): string | undefined =>
  childrenNamed(node, 'link').find(({ attributes }) => attributes.rel === rel)?.attributes.href

async function readFeed(path: string) {
  const response = await send(path)
  expect(response.status).toBe(200)
  return parseAtom(await response.text())
}

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM documents').run()
})

describe('/explore.atom', () => {
  it('is a valid feed without any documents', async () => {
    const { feed, entries } = await readFeed('/explore.atom')
    expect(entries).toEqual([])
    expect(getText(feed, 'id')).toBe(`${ORIGIN}/explore.atom`)
    expect(getText(feed, 'updated')).toBe('1970-01-01T00:00:00.000Z')
  })

  it('has the newest public documents with title, author, times and a summary', async () => {
    const { key, username } = await account()
    await create('unlisted', {}, { key })
    const document = await create('print(1)', { public: true, language: 'python', title: 'Script' }, { key })
    const { feed, entries } = await readFeed('/explore.atom')
    const [entry, ...more] = entries
    if (!entry) throw new Error('no entry')
    expect(more).toEqual([])
    expect({
      id: getText(entry, 'id'),
      title: getText(entry, 'title'),
      published: getText(entry, 'published'),
      summary: getText(entry, 'summary'),
      link: findLink(entry, 'alternate'),
      category: childrenNamed(entry, 'category')[0]?.attributes,
      author: childrenNamed(entry, 'author')[0]?.children.map(({ text }) => text),
    }).toEqual({
      id: `${ORIGIN}/${document.id}`,
      title: 'Script',
      published: document.timestamps.creation,
      summary: 'Python, 8 bytes',
      link: `${ORIGIN}/${document.id}`,
      category: { term: 'python', label: 'Python' },
      author: [username, `${ORIGIN}/@${username}`],
    })
    expect(getText(feed, 'updated')).toBe(getText(entry, 'updated'))
    expect(findLink(feed, 'self')).toBe(`${ORIGIN}/explore.atom`)
    expect(findLink(feed, 'alternate')).toBe(`${ORIGIN}/explore`)
  })

  it('is well-formed whatever titles and languages contain', async () => {
    const { key } = await account()
    const titles = [
      '</title><script>alert(1)</script>',
      ']]>&amp;&lt;"\'<!--',
      'bell\u0007 and nul\u0000 and escape\u001B',
      'nonchar \uFFFE\uFFFF end',
      '😀 \u202E reversed',
      'x'.repeat(200),
    ]
    for (const title of titles) {
      await create('x', { public: true, title, language: `"<&\u0001\uFFFF${title.slice(0, 9)}` }, { key })
    }
    await create('\uFFFE first line \u0001 <b>', { public: true }, { key })
    const { entries } = await readFeed('/explore.atom')
    expect(entries).toHaveLength(7)
    const texts = entries.map((entry) => getText(entry, 'title'))
    expect(texts).toContain('</title><script>alert(1)</script>')
    expect(texts).toContain(']]>&amp;&lt;"\'<!--')
    expect(texts).toContain('x'.repeat(200))
  })

  it('filters by language, and leads from page to page', async () => {
    const { key } = await account()
    await create('x', { public: true, language: 'css' }, { key })
    for (let n = 0; n < 51; n++) await create(`${n}`, { public: true, language: 'go' }, { key })
    const first = await readFeed('/explore.atom?language=Go')
    expect(first.entries).toHaveLength(50)
    const next = findLink(first.feed, 'next')?.slice(ORIGIN.length) ?? ''
    const second = await readFeed(next)
    expect(second.entries.map((entry) => getText(entry, 'title'))).toEqual(['0'])
    expect(findLink(second.feed, 'next')).toBeUndefined()
    expect(findLink(second.feed, 'self')).toBe(ORIGIN + next)
    expect(getText(second.feed, 'id')).toBe(getText(first.feed, 'id'))
  })

  it('answers 304 until something changes', async () => {
    const { key } = await account()
    const { id } = await create('x', { public: true }, { key })
    const first = await send('/explore.atom')
    const headers = { 'If-None-Match': `"other", W/${first.headers.get('ETag')}` }
    expect(first.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8')
    expect((await send('/explore.atom', { headers })).status).toBe(304)
    await edit({ id, settings: { title: 'new' } }, { key })
    expect((await send('/explore.atom', { headers })).status).toBe(200)
  })

  it('is found from the page, and isn’t there if EXPLORE is off', async () => {
    expect(await (await send('/explore')).text()).toContain('type="application/atom+xml"')
    for (const path of ['/explore.atom', '/@somebody.atom']) {
      expect((await send(path, {}, { bindings: withVars({ EXPLORE: 'off' }) })).status).toBe(404)
    }
    expect((await send('/explore.atom', { method: 'POST' })).status).toBe(405)
    expect((await send('/explore.atom?cursor=x')).status).toBe(400)
  })
})

describe('/@username.atom', () => {
  it('has the public documents of one account', async () => {
    const [one, other] = [await account(), await account()]
    await create('other', { public: true }, { key: other.key })
    await create('own', { public: true }, { key: one.key })
    const { feed, entries } = await readFeed(`/@${one.username}.atom`)
    expect(entries.map((entry) => getText(entry, 'title'))).toEqual(['own'])
    expect(findLink(feed, 'alternate')).toBe(`${ORIGIN}/@${one.username}`)
  })

  it('searches nothing: a search reads more rows, and has a limit of its own', async () => {
    const one = await account()
    await create('own', { public: true }, { key: one.key })
    const { feed, entries } = await readFeed(`/@${one.username}.atom?search=nothing`)
    expect(entries.map((entry) => getText(entry, 'title'))).toEqual(['own'])
    expect(findLink(feed, 'self')).toBe(`${ORIGIN}/@${one.username}.atom`)
  })
})

describe('xmlDocument', () => {
  it('replaces exactly what XML forbids', () => {
    for (const [text, expected] of [
      ['\u0000\u0008\u000B\u000C\u001F', '\uFFFD'.repeat(5)],
      ['\uD800 \uDC00', '\uFFFD \uFFFD'],
      ['\uFFFE\uFFFF', '\uFFFD\uFFFD'],
      ['\t\n\u007F\u0085\u2028😀', '\t\n\u007F\u0085\u2028😀'],
    ] as const) {
      const { text: content } = parseXml(xmlDocument(html`<a>${text}</a>`))
      expect(content).toBe(expected)
      expect(() => parseXml(xmlDocument(html`<a b="${text}"/>`))).not.toThrow()
    }
  })
})
