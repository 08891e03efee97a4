import { describe, expect, it } from 'vitest'
import { WorkLimit } from '../../../src/shared/compare/diff-tokens.ts'
import { formatArchive, type TextFile } from '../../../src/shared/txtar.ts'
import { edit } from '../../support/client.ts'
import { visit } from '../../support/site/forms.ts'
import { createHistory } from '../../support/site/history.ts'

/** Compares the two versions of a new document. */
async function compare(old: string, current: string, query = '', settings = {}): Promise<string> {
  const { path, headers } = await createHistory([old, current], settings)
  const { status, html } = await visit(`${path}/compare?from=1&to=2${query}`, { headers })
  expect(status).toBe(200)
  return html
}

/** Counts the steps of comparing. A spy would remember each. */
async function countSteps(run: () => Promise<unknown>): Promise<number> {
  const { spend } = WorkLimit.prototype
  let count = 0
  WorkLimit.prototype.spend = function (steps = 1) {
    count += steps
    spend.call(this, steps)
  }
  await run().finally(() => {
    WorkLimit.prototype.spend = spend
  })
  return count
}

describe('comparing two versions', () => {
  it('marks lines and words, for eyes and for screen readers', async () => {
    const html = await compare('same\nold word\n', 'same\nnew word\n')
    expect(html).toContain('1 line added, 1 line removed')
    expect(html).toContain(
      '<div class="line removed"><span class="visually-hidden">Removed, line 2: </span>' +
        '<span class="line-number" aria-hidden="true">2</span><span class="line-number" aria-hidden="true"></span>' +
        '<span class="sign" aria-hidden="true">−</span><span class="line-text"><del>old</del> word</span></div>',
    )
    expect(html).toContain('<span class="line-text"><ins>new</ins> word</span>')
  })

  it('escapes text, and shows hidden characters as codes', async () => {
    const html = await compare(
      'access = "user"\n',
      'access = "user\u202E \u2066// <script>alert(1)</script>\u2069 \u2066"\0\n',
    )
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;')
    expect(html).toContain('<span class="character-code">U+202E</span>')
    expect(html).toContain('<span class="character-code">U+0000</span>')
    expect(html).not.toMatch(/[\u202E\u2066\u2069]/)
  })

  it('folds long unchanged stretches without scripts', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`)
    const html = await compare(lines.join('\n'), [...lines, 'more'].join('\n'))
    expect(html).toMatch(/<details class="fold"><summary>9\d unchanged lines<\/summary>/)
  })

  it('chooses the view by its address, and else by the width', async () => {
    expect(await compare('a', 'b')).toContain('class="differences"')
    expect(await compare('a', 'b', '&view=side')).toContain('class="differences"')
    expect(await compare('a', 'b', '&view=unified')).toContain('class="differences unified"')
  })

  it('offers all other versions, and compares the last two by default', async () => {
    const { id, path, headers, creator } = await createHistory(['one', 'two'])
    await edit({ id, content: 'three', settings: { language: 'python' } }, { key: creator.key })
    const { html } = await visit(`${path}/compare`, { headers })
    expect(html).toContain('Language: Plain text → Python')
    const offered = /<nav id="bases".*?<\/nav>/s.exec(html)?.[0] ?? ''
    expect(offered.match(/href="[^"]*"( aria-current="true")?/g)).toEqual([
      `href="${path}/3" aria-current="true"`,
      `href="${path}/compare?from=1&amp;to=3"`,
    ])
    const same = await visit(`${path}/compare?from=2&to=2`, { headers })
    expect(same.html).toContain('Both versions have the same text.')
  })

  it('is bounded in its steps, and leaves some for the list of versions', async () => {
    const words = (seed: number) => {
      let state = seed
      const next = () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31
        return `${Math.floor(state / 256) % 50}`
      }
      return Array.from({ length: 3_000 }, next).join('\n')
    }
    const { path, headers } = await createHistory([words(1), `new\n${words(1)}`, words(99)])
    const steps = await countSteps(async () => {
      const { html } = await visit(path, { headers })
      expect(html).toContain('too different to compare')
      expect(html.match(/<b>Version \d<\/b>.*?<\/span><\/span>/g)?.map((row) => row.includes('+1'))).toEqual([
        false,
        true,
        false,
      ])
    })
    expect(steps).toBeGreaterThan(200_000)
    expect(steps).toBeLessThan(500_000)
  })

  it('answers large and very different texts quickly', async () => {
    const lines = (word: string) =>
      Array.from({ length: 90_000 }, (_, at) => `${word} ${at} ${'x'.repeat(100)}`).join('\n')
    const html = await compare(lines('old'), lines('new'))
    expect(html).toContain('90,000 lines added, 90,000 lines removed')
    expect(html).toContain('89,500 removed lines and 89,500 added lines not shown')
    expect(html.length).toBeLessThan(2 * 1024 * 1024)
    const single = await compare('a'.repeat(10 * 1024 * 1024), 'b'.repeat(10 * 1024 * 1024))
    expect(single).toContain('10,484,960 characters')
    expect(await compare('\n'.repeat(200_000), `${'\n'.repeat(200_000)}x`)).toContain(
      'too many lines to compare',
    )
  })
})

describe('versions of an encrypted document', () => {
  const settings = { encrypted: true, password: 'correct horse' }

  it('are sent encrypted, for the browser to decrypt', async () => {
    const { id, path, headers, creator } = await createHistory(['secret one'], settings)
    await edit({ id, content: 'secret two', password: 'correct horse' }, { key: creator.key })
    for (const page of ['/1', '/2', '/compare?from=1&to=2']) {
      const { html } = await visit(path + page, { headers })
      expect(html).not.toContain('secret')
      expect(html).toContain('<template class="jwe" data-version=')
      expect(html).toContain('<noscript>')
      // The form has no address: without scripts it can't send the password.
      expect(html).toContain('<form id="decrypt-versions" class="scripted" method="dialog">')
    }
  })
})

describe('comparing several files', () => {
  const OLD = [
    { name: 'main.py', content: 'one\n' },
    { name: 'a.go', content: 'package a\n' },
    { name: 'same.txt', content: 'same\n' },
  ]
  const NEW = [
    { name: 'main.py', content: 'two\n' },
    { name: '<b>.go', content: 'package a\n' },
    { name: 'same.txt', content: 'same\n' },
  ]
  const compareFiles = (old: readonly TextFile[], current: readonly TextFile[]) =>
    compare(formatArchive(old), formatArchive(current), '', { language: 'txtar' })

  it('shows the changes of each file below its name, and lists the files of each version', async () => {
    const html = await compareFiles(OLD, NEW)
    expect(html.match(/<section aria-label="Ch[^"]*"/g)).toEqual([
      '<section aria-label="Changes in main.py"',
      '<section aria-label="Changes in &lt;b&gt;.go"',
    ])
    expect(html).toContain(
      '<h2 class="changed-file">main.py</h2><p class="quiet-text">1 line added, 1 line removed</p>',
    )
    expect(html).toContain('&lt;b&gt;.go <span class="quiet-text">renamed from a.go</span></h2></section>')
    expect(html).toContain('data-language="python"')
    expect(html).toContain('<span class="quiet-text row">main.py, a.go → &lt;b&gt;.go</span>')
    expect(html).not.toContain('same.txt')
  })

  it('says that only their order is another one', async () => {
    const html = await compareFiles(OLD, OLD.toReversed())
    expect(html).toContain('Both versions have the same files, in another order.')
    expect(html).toContain('<span class="quiet-text">0 lines</span>')
    expect(html).toContain('<span class="quiet-text row">Files in another order</span>')
  })

  it('compares one text with the file that it became, and was', async () => {
    const { id, path, headers, creator } = await createHistory(['one\n'])
    await edit({ id, files: OLD }, { key: creator.key })
    await edit({ id, content: 'one\ntwo\n' }, { key: creator.key })
    for (const [page, what] of [
      ['/2', 'added'],
      ['/3', 'deleted'],
    ]) {
      const { html } = await visit(`${path}${page}`, { headers })
      expect(html).toContain(`a.go <span class="quiet-text">${what}</span>`)
      expect(html).toContain(`same.txt <span class="quiet-text">${what}</span>`)
      expect(html.includes('<h2 class="changed-file">main.py</h2>')).toBe(what === 'deleted')
      expect(html).not.toContain('-- main.py --')
      expect(html).toContain('<span class="quiet-text row">a.go, same.txt</span>')
      expect(html).toContain('<span class="quiet-text row">main.py, a.go, same.txt</span>')
    }
  })
})
