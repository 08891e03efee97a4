import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { call, create, read } from '../../support/client.ts'
import { requestPage } from '../../support/site/forms.ts'

const FILES = [
  { name: 'main.py', content: 'print("<b>")\n# https://example.org/x\n' },
  { name: 'README.md', content: '# About\n' },
  { name: 'a "b"/history', content: 'x', language: 'go' },
]

async function share(files: readonly object[] = FILES, settings?: object) {
  const { key } = await account()
  const { body } = await call('POST', '/v1/document', { files, settings }, { key })
  return { id: body.data.id, key }
}

const PHONE = { headers: { 'User-Agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Mobile' } }

const getNames = (html: string) => [...html.matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name)

describe('the page of several files', () => {
  it('has each file below its name, with numbered lines that links lead to, and README.md first', async () => {
    const { id } = await share()
    const { html } = await requestPage(`/${id}`)
    expect(getNames(html)).toEqual(['README.md', 'main.py', 'a &quot;b&quot;/history'])
    expect(html).toContain('>3 files</span>')
    expect(html).toContain('Python</span> · </span><span>2 lines · 37 bytes')
    expect(html).toContain('print(&quot;&lt;b&gt;&quot;)\n# <a href="https://example.org/x"')
    // The first file of the document has the addresses of a document with one text, too.
    expect(html).toContain('<span id="main-py-L2"><a id="L2">2</a></span></pre>')
    expect(html).toContain('<span id="readme-md-L1">1</span></pre>')
    expect(html).toContain(`href="/r/${id}/a%20%22b%22/history"`)
    expect(html).toContain('data-chosen="go"')
    expect(html.match(/<details open/g)).toHaveLength(3)
    // Three files need no list.
    expect(html).not.toContain('popovertarget="files"')
  })

  it('has the links of as much text as a document with one text may have', async () => {
    const content = `https://example.org/\n${'text '.repeat(399)}\n`
    const files = Array.from({ length: 40 }, (_, index) => ({ name: `${index}.txt`, content }))
    const { id } = await share([...files, { name: 'none.txt', content: 'text\n' }])
    const { html } = await requestPage(`/${id}`)
    const linked = html.match(/<a href="https:\/\/example\.org\/"/g) ?? []
    expect(linked).toHaveLength(Math.floor((64 * 1024) / content.length))
    expect(html.match(/https:\/\/example\.org\/\n/g)).toHaveLength(40 - linked.length)
  })

  it('shows the text of the archive as the source, and each page links to the other', async () => {
    const { id } = await share()
    const source = await requestPage(`/${id}?view=source`)
    expect(source.html).toContain('-- main.py --\nprint')
    for (const { html } of [source, await requestPage(`/${id}`)]) {
      expect(html).toContain(`href="/${id}?view=source"`)
      expect(html).toMatch(/aria-current="page">(Files|Source)</)
    }
  })

  it('says why an archive without files is shown as its source', async () => {
    const { key } = await account()
    const { id } = await create('-- a --\n1\n-- a --\n2\n', { language: 'txtar' }, { key })
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain('Two files have the name “a”.')
    expect(html).not.toContain('aria-label="View">')
  })

  it('is there for a pasted archive of files with known names, unless somebody chose another language', async () => {
    const { key } = await account()
    const archive = '-- a.py --\nx = 1\n-- b.toml --\ny = 2\n'
    const { id } = await create(archive)
    expect(getNames((await requestPage(`/${id}`)).html)).toEqual(['a.py', 'b.toml'])
    expect((await requestPage(`/${id}/b.toml`)).headers.get('Location')).toBe(`/${id}#b-toml`)
    expect((await requestPage(`/r/${id}/b.toml`)).html).toBe('y = 2\n')
    const sql = await create('-- create.sql --\nSELECT 1;\n-- Roles --\nSELECT 2;\n')
    expect(getNames((await requestPage(`/${sql.id}`)).html)).toEqual([])
    const chosen = await create(archive, { language: 'sql' }, { key })
    expect(getNames((await requestPage(`/${chosen.id}`)).html)).toEqual([])
  })

  it('lists four files', async () => {
    const { id } = await share([1, 2, 3, 4].map((number) => ({ name: `f${number}.py`, content: 'x' })))
    const { html } = await requestPage(`/${id}`)
    expect(html).toMatch(/popovertarget="files">Files 4</)
    expect(html).toContain('<a class="menu-item" href="#f3-py" title="f3.py">')
  })

  it('shows the beginning of a long file, and has all of its text', async () => {
    const { id } = await share([{ name: 'a.log', content: 'line\n'.repeat(501) }, FILES[1] ?? {}])
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain('Show all 501 lines')
    expect(html.match(/^line$/gm)?.length).toBeGreaterThan(498)
    expect(html.match(/class="text[^"]* clipped/g)).toHaveLength(1)
  })

  it('numbers no more lines of all files than of one text', async () => {
    const lines = { a: 90_000, b: 90_000, c: 90_000, d: 9 }
    const { id } = await share(
      Object.entries(lines).map(([name, count]) => ({ name, content: '\n'.repeat(count) })),
    )
    const { html } = await requestPage(`/${id}`)
    expect(html.match(/<pre class="numbers/g)).toHaveLength(3)
  })

  it('folds the files after the first where they fill more than three screens of a phone', async () => {
    const long = [1, 2, 3].map((number) => ({ name: `${number}.py`, content: 'x\n'.repeat(60) }))
    const { id } = await share(long)
    expect((await requestPage(`/${id}`, PHONE)).html.match(/<details open/g)).toHaveLength(1)
    expect((await requestPage(`/${id}`)).html.match(/<details open/g)).toHaveLength(3)
    const short = await share()
    expect((await requestPage(`/${short.id}`, PHONE)).html.match(/<details open/g)).toHaveLength(3)
  })

  it('warns of hidden characters at the file that has them', async () => {
    const { id } = await share([FILES[0] ?? {}, { name: 'b.py', content: '\n\nx = 1 \u202E# 2\n' }])
    expect((await requestPage(`/${id}`)).html).toMatch(/bidirectional[^<]*\(<a href="#b-py-L3">line 3/)
  })
})

describe('the address of a file in a browser', () => {
  const locate = async (path: string) => {
    const { status, headers } = await requestPage(path)
    return { status, location: headers.get('Location') }
  }

  it('leads to the page at that file, without counting a view', async () => {
    const { id } = await share()
    expect(await locate(`/${id}/main.py`)).toEqual({ status: 303, location: `/${id}#main-py` })
    expect(await locate(`/${id}?file=main.py`)).toEqual({ status: 303, location: `/${id}#main-py` })
    expect((await read(id)).body.data.views).toBe(1)
  })

  it('is another one where a page of the site has the name', async () => {
    const { id } = await share([...FILES, { name: 'history', content: 'x' }])
    expect((await locate(`/${id}/history`)).location ?? '').not.toContain('#')
    expect((await locate(`/${id}?file=history`)).location).toBe(`/${id}#file-history`)
  })

  it('opens the document, and says that the file isn’t there', async () => {
    const { id } = await share()
    expect((await locate(`/${id}/old.py`)).location).toBe(`/${id}?file=old.py`)
    const { status, html } = await requestPage(`/${id}?file=old.py`)
    expect(status).toBe(200)
    expect(html).toContain('This document has no file <bdi>“old.py”</bdi>')
  })

  it('is not found in a document with one text, and for what no document can have', async () => {
    const { id } = await create('x')
    expect((await locate(`/${id}/main.py`)).status).toBe(404)
    expect((await locate('/no/such/page')).status).toBe(404)
    expect((await requestPage('/no/such/page', { method: 'POST' })).status).toBe(404)
  })

  it('tells nothing of an encrypted document, or of one that burns', async () => {
    for (const settings of [{ password: 'secret', encrypted: true }, { instant_delete: true }]) {
      const { id } = await share(FILES, settings)
      for (const name of ['main.py', 'none'])
        expect((await locate(`/${id}/${name}`)).location).toBe(`/${id}?file=${name}`)
      expect((await requestPage(`/${id}?file=main.py`)).html).not.toContain('print(')
    }
  })
})
