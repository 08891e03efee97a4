import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { contentCache } from '../../../src/documents/content-store.ts'
import { addDocumentsToAccount } from '../../../src/documents/document-tokens.ts'
import { account, session, suspend } from '../../support/accounts.ts'
import { createAnonymous, edit, ORIGIN, read } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import { parseForm, sendForm, visit } from '../../support/site/forms.ts'
import { createHistory } from '../../support/site/history.ts'
import { openStore } from '../../support/storage/contents.ts'

/** Returns the versions in the timeline. */
const listVersions = (html: string): string[] =>
  (/<nav id="versions".*?<\/nav>/s.exec(html)?.[0] ?? '').split('<li>').slice(1)

describe('the timeline', () => {
  it('shows who saved each version and what changed, newest first', async () => {
    const { path, id, headers, creator, editor } = await createHistory(['a\nb\n', 'a\nc\n'])
    await edit({ id, content: 'a\nc\nd\ne\n', settings: { language: 'python' } }, { key: editor.key })
    const { html } = await visit(path, { headers })
    const versions = listVersions(html)
    expect(versions).toHaveLength(3)
    expect(versions[0]).toContain(`href="${path}/3" aria-current="page"`)
    expect(versions[0]).toContain('2 lines added</span>')
    expect(versions[0]).toContain(`Current · <bdi>${editor.username}</bdi> · just now`)
    expect(versions[1]).toContain(`href="${path}/2"`)
    expect(versions[1]).toContain('1 line added, 1 line removed</span>')
    expect(versions[2]).toContain('4 bytes')
    expect(versions[2]).toContain(`<bdi>${creator.username}</bdi>`)
    // What the newest version changed is there at once.
    expect(html).toContain('<span class="line-text">e</span>')
    expect(html).toContain('<span id="shown-language">Python</span>')
  })

  it('steps from version to version by links, in the view that the reader chose', async () => {
    const { path, headers } = await createHistory(['one text', 'two text', 'three'])
    const { html } = await visit(`${path}/2?view=unified`, { headers })
    const findStep = (rel: string) => new RegExp(`<a [^>]*rel="${rel}" href="([^"]+)"`).exec(html)?.[1]
    expect(findStep('prev')).toBe(`${path}/1?view=unified`)
    expect(findStep('next')).toBe(`${path}/3?view=unified`)
    expect(html).toContain('<del>one</del>')
    expect((await visit(path, { headers })).html).not.toContain('rel="next"')
    expect((await visit(`${path}/1`, { headers })).html).not.toContain('rel="prev"')
  })

  it('shows 50 versions and the current one, with the changes of the newest', async () => {
    const { path, headers } = await createHistory(Array.from({ length: 53 }, (_, index) => `text ${index}`))
    const { html } = await visit(path, { headers })
    const versions = listVersions(html)
    expect(versions).toHaveLength(51)
    expect(versions[0]).toContain('Version 53</b>')
    expect(versions[50]).toContain('Version 3</b>')
    expect(versions.map((version) => version.includes('1 line added')).lastIndexOf(true)).toBe(19)
    expect((await visit(`${path}/2`, { headers })).status).toBe(404)
    const compared = await visit(`${path}/compare?from=3&to=53`, { headers })
    expect(compared.html).toContain('text <del>2</del>')
    expect(listVersions((await visit(`${path}/20`, { headers })).html)[33]).toContain('1 line added')
  })

  it('doesn’t count the changes of long texts', async () => {
    const { path, headers } = await createHistory(['a', 'b', `c${' '.repeat(512 * 1024)}`])
    const versions = listVersions((await visit(`${path}/1`, { headers })).html)
    expect(versions[0]).not.toContain('line added')
    expect(versions[1]).not.toContain('line added')
  })

  it('escapes the title and tells when there is nothing to show', async () => {
    const { path, headers } = await createHistory(['x'], { title: '<b>&"' })
    const { html } = await visit(path, { headers })
    expect(html).toContain('<bdi>&lt;b&gt;&amp;&quot;</bdi>')
    expect(html).toContain('No previous versions yet')
  })
})

describe('the history', () => {
  it('is deleted by the creator only', async () => {
    const { path, headers, editorHeaders } = await createHistory(['one', 'two'])
    const seen = await visit(path, { headers: editorHeaders })
    expect(seen.html).not.toContain('Delete history')
    expect((await sendForm(`${path}/delete`, {}, { headers: editorHeaders })).status).toBe(403)
    expect((await sendForm(`${path}/stop`, {}, { headers: editorHeaders })).status).toBe(403)
    expect((await visit(path, { headers })).html).toContain('Delete history')
    expect((await sendForm(`${path}/delete`, {}, { headers })).location).toBe(`${path}?done=deleted`)
    const { html } = await visit(`${path}?done=deleted`, { headers })
    expect(html).toContain('History deleted.')
    expect(html).toContain('No previous versions yet')
    expect((await visit(`${path}/1`, { headers })).status).toBe(404)
    expect((await visit(`${path}?done=constructor`, { headers })).html).not.toContain('class="banner"')
  })

  it('is kept or not as the creator wishes', async () => {
    const { id, path, headers, creator } = await createHistory(['one', 'two'])
    expect((await sendForm(`${path}/stop`, {}, { headers })).location).toBe(`${path}?done=stop`)
    await edit({ id, content: 'three' }, { key: creator.key })
    const stopped = await visit(path, { headers })
    expect(stopped.html).toContain('>No previous versions<')
    expect(stopped.html).toContain('Keep history')
    expect((await sendForm(`${path}/keep`, {}, { headers })).location).toBe(`${path}?done=keep`)
    await edit({ id, content: 'four' }, { key: creator.key })
    expect((await visit(`${path}/3?view=text`, { headers })).html).toContain('three</code>')
  })
})

describe('the text of a version', () => {
  it('is shown as on the page of the document, with its facts', async () => {
    const { path, headers, creator } = await createHistory(['<b>one</b> \u202E\n', 'two'])
    const { html } = await visit(`${path}/1`, { headers })
    expect(html).toContain('&lt;b&gt;one&lt;/b&gt; \u202E\n</code>')
    expect(html).toContain('<span id="L1">1</span>')
    expect(html).toContain('1 bidirectional control character')
    expect(html).toContain(`by ${creator.username}`)
    expect((await visit(`${path}/2`, { headers })).html).not.toContain('Restore')
    const { html: text } = await visit(`${path}/2?view=text`, { headers })
    expect(text).toContain('two</code>')
    expect(text).toContain(`href="${path}/2">Changes</a>`)
  })

  it('has the lines of the document’s page if CR ends them, and remembers the CR', async () => {
    const { path, headers } = await createHistory(['one\rtwo\r\u202Ethree', 'two'])
    const { html } = await visit(`${path}/1`, { headers })
    expect(html).toContain('one\ntwo\n\u202Ethree</code>')
    expect(html).toContain('<span id="L3">3</span>')
    expect(html).toContain('href="#L3"')
    expect(html).toContain('data-line-breaks="cr"')
    expect((await visit(`${path}/2?view=text`, { headers })).html).not.toContain('data-line-breaks')
  })

  it('shows a text of any length', async () => {
    const { path, headers } = await createHistory(['"<line>" 😀\n'.repeat(100_000), 'two'])
    const { html } = await visit(`${path}/1`, { headers })
    expect(html.split('"&lt;line&gt;" 😀\n')).toHaveLength(100_001)
    expect(html.endsWith('</html>')).toBe(true)
  })
})

describe('restoring a version', () => {
  it('makes its text and language the current ones, and keeps what was there', async () => {
    const { id, path, headers, creator } = await createHistory(['one'], { language: 'python' })
    await edit({ id, content: 'two', settings: { language: 'json' } }, { key: creator.key })
    const fields = await parseForm((await visit(`${path}/1`, { headers })).html, `${path}/1/restore`)
    const restored = await sendForm(`${path}/1/restore`, fields, { headers })
    expect({ status: restored.status, location: restored.location }).toEqual({
      status: 303,
      location: `${path}?done=restored`,
    })
    expect((await read(id)).body.data).toMatchObject({ content: 'one', settings: { language: 'python' } })
    expect((await visit(`${path}?done=restored`, { headers })).html).toContain('Version restored.')
    expect((await visit(`${path}/2?view=text`, { headers })).html).toContain('two</code>')
  })

  it('asks again if somebody changed the document, and shows what it would change', async () => {
    const { id, path, headers, editor } = await createHistory(['first text', 'second text'])
    const fields = await parseForm((await visit(`${path}/1`, { headers })).html, `${path}/1/restore`)
    await edit({ id, content: 'their <new> text' }, { key: editor.key })
    const conflict = await sendForm(`${path}/1/restore`, fields, { headers })
    expect(conflict.status).toBe(412)
    expect(conflict.html).toContain('role="alert"')
    expect(conflict.html).toContain(`${editor.username} saved the document on`)
    expect(conflict.html).toContain('their &lt;new&gt; text')
    expect((await read(id)).body.data.content).toBe('their <new> text')
    const again = await parseForm(conflict.html, `${path}/1/restore`)
    expect((await sendForm(`${path}/1/restore`, again, { headers })).status).toBe(303)
    expect((await read(id)).body.data.content).toBe('first text')
  })

  it('needs to know which document was seen', async () => {
    const { id, path, headers } = await createHistory(['one', 'two'])
    expect((await sendForm(`${path}/1/restore`, {}, { headers })).status).toBe(412)
    expect((await read(id)).body.data.content).toBe('two')
  })

  it('lets exactly one of two people win who restore at once', async () => {
    const { id, path, headers, editorHeaders } = await createHistory(['one', 'two', 'three'])
    const restore = async (number: number, who: Record<string, string>) => {
      const action = `${path}/${number}/restore`
      const fields = await parseForm((await visit(`${path}/${number}`, { headers: who })).html, action)
      return () => sendForm(action, fields, { headers: who })
    }
    const people = [await restore(1, headers), await restore(2, editorHeaders)]
    const answers = await Promise.all(people.map((send) => send()))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 412])
    expect((await read(id)).body.data.content).toBe(answers[0]?.status === 303 ? 'one' : 'two')
  })
})

const PAGES = ['', '/1', '/2', '/2?view=text', '/compare', '/compare?from=1&to=2']

describe('the pages of the history', () => {
  it('are for the creator and the editors', async () => {
    const { path, headers, editorHeaders } = await createHistory(['one', 'two'])
    for (const page of PAGES) {
      for (const who of [headers, editorHeaders]) {
        const { status, headers: answered } = await visit(path + page, { headers: who })
        expect(status).toBe(200)
        expect(answered.get('Cache-Control')).toBe('no-store')
        expect(answered.get('X-Robots-Tag')).toBe('noindex')
      }
    }
  })

  it('are not found by readers, exactly like pages of documents that don’t exist', async () => {
    const { path } = await createHistory(['a secret that was taken out', 'two'], { public: true })
    const reader = await session(await account())
    for (const headers of [{}, reader]) {
      for (const page of PAGES) {
        const found = await visit(path + page, { headers })
        const missing = await visit(`/xxxxxxxx/history${page}`, { headers })
        expect(found.status).toBe(404)
        expect(found.html).toBe(missing.html)
      }
    }
  })

  it('can’t be changed by readers, nor by other sites', async () => {
    const { id, path, headers } = await createHistory(['one', 'two'])
    const reader = await session(await account())
    const { version = '' } = await parseForm(
      (await visit(`${path}/1`, { headers })).html,
      `${path}/1/restore`,
    )
    for (const action of ['/1/restore', '/delete', '/stop', '/keep']) {
      expect((await sendForm(path + action, { version }, { headers: reader })).status).toBe(404)
      expect((await sendForm(path + action, { version })).status).toBe(404)
      const elsewhere = { ...headers, Origin: 'https://elsewhere.example' }
      expect((await sendForm(path + action, { version }, { headers: elsewhere })).status).toBe(403)
    }
    expect((await read(id)).body.data.content).toBe('two')
    expect((await visit(path, { headers })).html).toContain('Version 1')
  })

  it('are not found by a suspended account', async () => {
    const { path, headers, creator } = await createHistory(['one', 'two'])
    await suspend(creator)
    for (const page of PAGES) expect((await visit(path + page, { headers })).status).toBe(404)
  })

  it('are not found by former editors', async () => {
    const { id, path, creator, editorHeaders } = await createHistory(['one', 'two'])
    await edit({ id, settings: { editors: [] } }, { key: creator.key })
    for (const page of PAGES) expect((await visit(path + page, { headers: editorHeaders })).status).toBe(404)
  })

  it('are not found once the document has expired', async () => {
    const { id, path, headers } = await createHistory(['one', 'two'])
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run()
    for (const page of PAGES) expect((await visit(path + page, { headers })).status).toBe(404)
  })

  it('show one version of a document that burns after reading, without burning it', async () => {
    const { id, path, headers } = await createHistory(['one', 'two'], { instant_delete: true })
    const { html } = await visit(path, { headers })
    expect(html).toContain('A document that is deleted after the first read keeps none.')
    expect((await visit(`${path}/2`, { headers })).html).toContain('two</code>')
    expect((await read(id)).body.data.content).toBe('two')
    for (const page of PAGES) expect((await visit(path + page, { headers })).status).toBe(404)
  })

  it('are for the browser that has the token of a document without an account', async () => {
    const { id, token, headers } = await createAnonymous('one')
    await edit({ id, content: 'two' }, { headers })
    const cookie = { Cookie: `__Secure-regent.document_token=${token}`, Origin: ORIGIN }
    const path = `/${id}/history`
    for (const page of PAGES) {
      expect((await visit(path + page, { headers: cookie })).status).toBe(200)
      expect((await visit(path + page)).status).toBe(404)
    }
    const { html } = await visit(path, { headers: cookie })
    expect(html).toContain('<bdi>Anonymous</bdi>')
    const fields = await parseForm((await visit(`${path}/1`, { headers: cookie })).html, `${path}/1/restore`)
    const restored = await sendForm(`${path}/1/restore`, fields, { headers: cookie })
    expect(restored.location).toBe(`${path}?done=restored`)
    expect((await read(id)).body.data.content).toBe('one')
    expect((await sendForm(`${path}/stop`, {}, { headers: cookie })).location).toBe(`${path}?done=stop`)
    expect((await visit(`${path}/1`, { headers: cookie })).status).toBe(404)
  })

  it('say which versions were saved before the document was added to an account', async () => {
    const { id, token, headers } = await createAnonymous('one')
    await edit({ id, content: 'two' }, { headers })
    const creator = await account()
    await addDocumentsToAccount(openStore(), [{ id, token }], { creator, now: Date.now() })
    await edit({ id, content: 'three' }, { key: creator.key })
    const { html } = await visit(`/${id}/history`, { headers: await session(creator) })
    const authors = listVersions(html).map((version) => /<bdi>(.*?)<\/bdi>/.exec(version)?.[1])
    expect(authors).toEqual([creator.username, 'Anonymous', 'Anonymous'])
  })

  it('are there although the content of an old version is missing', async () => {
    const { id, path, headers } = await createHistory(['one', 'two', 'three', 'four'])
    const lost = 'SELECT content_key FROM revisions WHERE document_id = ?1 AND number = 2'
    const key = await env.DB.prepare(lost).bind(id).first<string>('content_key')
    await env.CONTENTS.delete(String(key))
    contentCache.clear()
    const { html, status } = await visit(path, { headers })
    expect(status).toBe(200)
    const versions = listVersions(html)
    expect(versions.map((version) => version.includes('1 line added'))).toEqual([true, false, false, false])
    expect(html).toContain('Delete history')
    expectFaults('request failed')
    expect((await visit(`${path}/2`, { headers })).status).toBe(503)
  })

  it('have no versions at other addresses', async () => {
    const { path, headers } = await createHistory(['one', 'two'])
    for (const page of ['/0', '/3', '/01', '/1.0', '/x', '/compare?from=1&to=9', '/compare?from=x']) {
      expect((await visit(path + page, { headers })).status).toBe(404)
    }
  })
})

describe('the page of a document', () => {
  it('links to the history for those who may see it', async () => {
    const { id, headers, editorHeaders } = await createHistory(['one', 'two'])
    const link = `href="/${id}/history"`
    expect((await visit(`/${id}`, { headers })).html).toContain(link)
    expect((await visit(`/${id}`, { headers: editorHeaders })).html).toContain(link)
    expect((await visit(`/${id}`)).html).not.toContain('history"')
  })
})
