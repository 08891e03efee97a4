import { childrenNamed, parseXml, textOf, type XmlNode } from './parse-xml.ts'

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
  if (!URL.canParse(textOf(node, 'id'))) yield `the id of ${node.name} is no absolute IRI`
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
    if (textOf(author, 'name') === '') yield 'an author needs a name'
  for (const { attributes } of childrenNamed(node, 'category'))
    if (!attributes.term) yield 'a category needs a term'
}

/** Parses a feed. Throws an Error that lists where it violates RFC 4287. */
export function parseAtom(xml: string): { feed: XmlNode; entries: XmlNode[] } {
  const feed = parseXml(xml)
  const entries = childrenNamed(feed, 'entry')
  const problems = [...findProblems(feed), ...entries.flatMap((entry) => [...findProblems(entry)])]
  if (feed.name !== 'feed' || feed.namespace !== ATOM) problems.push('not a feed')
  const ids = entries.map((entry) => textOf(entry, 'id'))
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
export const findLink = (node: XmlNode, rel: string): string | undefined =>
  childrenNamed(node, 'link').find(({ attributes }) => attributes.rel === rel)?.attributes.href
