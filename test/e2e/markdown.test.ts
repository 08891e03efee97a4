import { describe, expect, it } from 'vitest'
import { markdownHtml } from '../../src/client/highlight/markdown-html.ts'

const htmlOf = (text: string) => [...markdownHtml(text)].join('')

describe('Markdown', () => {
  it('comes in parts that are together what it is as a whole', () => {
    const parts = [...markdownHtml('# a\n\n- *b*\n- c\n\n'.repeat(5_000))]
    expect(parts.length).toBeGreaterThan(5)
    expect(parts.join('')).toBe('<h1>a</h1>\n<ul>\n<li><em>b</em></li>\n<li>c</li>\n</ul>\n'.repeat(5_000))
  })

  it.each([
    ['paragraph', `${'*a* '.repeat(100_000)}\n`, 'Line 3 is'],
    ['table', `a|b\n-|-\n${'c|d\n'.repeat(100_000)}`, 'Lines 3 to 100004 are'],
    ['quote of quotes', `${'>'.repeat(200)} lost\n`, 'Line 3 is'],
    ['code', `\`\`\`\n${'x\n'.repeat(200_000)}\`\`\`\n`, 'Lines 3 to 200004 are'],
  ])('has words in place of a %s that can not be shown whole', (_, large, words) => {
    const html = htmlOf(`# before\n\n${large}\n# after\n`)
    expect(html.length).toBeLessThan(1_000)
    expect(html).toMatch(/^<h1>before<\/h1>\n<p><em>\((.*) too long.*<\/em><\/p><h1>after<\/h1>\n$/)
    expect(html).toContain(`(${words} too long`)
  })
})
