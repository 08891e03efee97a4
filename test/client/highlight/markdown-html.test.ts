import { describe, expect, it } from 'vitest'
import { renderMarkdownParts } from '../../../src/client/highlight/markdown-html.ts'

const render = (text: string) => [...renderMarkdownParts(text)].join('')

describe('rendered Markdown', () => {
  it('comes in parts that together are the whole', () => {
    const parts = [...renderMarkdownParts('# a\n\n- *b*\n- c\n\n'.repeat(5_000))]
    expect(parts.length).toBeGreaterThan(5)
    expect(parts.join('')).toBe('<h1>a</h1>\n<ul>\n<li><em>b</em></li>\n<li>c</li>\n</ul>\n'.repeat(5_000))
  })

  it.each([
    ['paragraph', `${'*a* '.repeat(100_000)}\n`, 'Line 3 is'],
    ['table', `a|b\n-|-\n${'c|d\n'.repeat(100_000)}`, 'Lines 3–100004 are'],
    ['quote of quotes', `${'>'.repeat(200)} lost\n`, 'Line 3 is'],
    ['code', `\`\`\`\n${'x\n'.repeat(200_000)}\`\`\`\n`, 'Lines 3–200004 are'],
  ])('has a notice in place of a %s that is too large', (_, large, notice) => {
    const html = render(`# before\n\n${large}\n# after\n`)
    expect(html.length).toBeLessThan(1_000)
    expect(html).toMatch(/^<h1>before<\/h1>\n<p><em>\((.*) too long.*<\/em><\/p><h1>after<\/h1>\n$/)
    expect(html).toContain(`(${notice} too long`)
  })

  it('contains no HTML of the author', () => {
    expect(render('<b>x</b> <img src=x>')).toBe('<p>&lt;b&gt;x&lt;/b&gt; &lt;img src=x&gt;</p>\n')
  })

  it('shows the description and the address of an image instead of loading it', () => {
    expect(render('![a <picture>](/v1/document/x)')).toBe(
      '<p><span class="image-placeholder">a &lt;picture&gt; (image: /v1/document/x)</span></p>\n',
    )
  })

  it('aligns columns with classes', () => {
    const html = render('a|b|c\n:-|:-:|-:\n1|2|3\n')
    expect(html).toContain('<td class="align-left">1</td>')
    expect(html).toContain('<td class="align-center">2</td>')
    expect(html).toContain('<td class="align-right">3</td>')
    expect(html).not.toContain('style=')
  })
})
