import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create } from '../support/client.ts'
import { requestPage } from '../support/site/forms.ts'

const FILES = [
  { name: 'main.py', content: 'print(1)\nprint(2)\nprint(3)\nprint(4)\n' },
  { name: 'docs/index.md', content: '# Docs\n' },
  { name: 'a.toml', content: 'debug = true\n' },
]

async function share(files: readonly object[] = FILES, settings: object = { public: true }) {
  const { key, username } = await account()
  const { body } = await call('POST', '/v1/document', { files, settings }, { key })
  return { id: body.data.id, username }
}

const getFacts = (html: string) =>
  /<p class="facts-line">(.*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '|')

describe('several files', () => {
  it('are counted in lists, below the beginning of the first', async () => {
    const { username } = await share()
    expect((await requestPage(`/@${username}`)).html).toMatch(/>print\(1\)\nprint\(2\)\n\+ 2 files</)
    const long = await share([{ name: 'main.py', content: 'print(1)\n'.repeat(5_000) }, FILES[1] ?? {}])
    expect((await requestPage(`/@${long.username}`)).html).toMatch(/>print\(1\)\nprint\(1\)\n\+ more files</)
  })

  it('are counted in link previews, before the beginning of the first', async () => {
    const { id, username } = await share()
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain('<meta property="og:title" content="main.py"/>')
    expect(html).toContain(
      `content="3 files · 103 bytes · by ${username} — print(1) print(2) print(3) print(4)"`,
    )
  })

  it('are embedded one at a time', async () => {
    const { id } = await share()
    const first = await requestPage(`/${id}/embed`)
    expect(first.html).toContain('print(4)\n')
    expect(first.html).not.toContain('debug')
    expect(first.html).toContain(`/${id}#main-py"`)
    expect(getFacts(first.html)).toContain('Python||+ 2 files')
    const asked = await requestPage(`/${id}/embed?file=a.toml`)
    expect(asked.html).toContain('debug = true\n')
    expect(asked.html).toContain('data-language="toml"')
    const lines = await requestPage(`/${id}/embed?file=main.py&lines=2-3`)
    expect(lines.html).toContain(`/${id}#main-py-L2-L3"`)
    expect((await requestPage(`/${id}/embed?file=old.py`)).status).toBe(404)
    // A document with one text has no such parts.
    const { key } = await account()
    const text = await create('one text', {}, { key })
    expect((await requestPage(`/${text.id}/embed?file=x`)).html).toContain('one text')
  })

  it('are offered with the code to embed, and known to oEmbed', async () => {
    const { id } = await share()
    const { html } = await requestPage(`/${id}/embed/code?file=docs%2Findex.md`)
    expect(html).toContain('<option value="docs/index.md" selected="">docs/index.md</option>')
    expect(html).toContain(`/${id}/embed?file=docs%2Findex.md`)
    const url = encodeURIComponent(`https://paste.example/${id}?file=a.toml`)
    expect(await requestPage(`/oembed?url=${url}`)).toMatchObject({ status: 200 })
    expect((await requestPage(`/oembed?url=${url}`)).html).toContain('embed?file=a.toml')
    expect((await requestPage(`/oembed?url=${url}x`)).status).toBe(404)
  })

  it('have the first of them in their picture', async () => {
    const { id } = await share(FILES, { public: true, image_embed: true })
    const { status, headers } = await requestPage(`/${id}/preview.png`)
    expect({ status, type: headers.get('Content-Type') }).toEqual({ status: 200, type: 'image/png' })
  })
})
