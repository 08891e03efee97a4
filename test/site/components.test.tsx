import { html } from 'hono/html'
import { describe, expect, it } from 'vitest'
import { Icon } from '../../src/site/components/icons.tsx'
import { renderChildren, Template } from '../../src/site/layout/page.tsx'

const render = ({ title, body }: Readonly<Record<'title' | 'body', string>>) => (
  <a href={`/${title}`} title={title}>
    {body}
  </a>
)

describe('a template', () => {
  it('fills its gaps with escaped text and with HTML, in text and in attributes', () => {
    const template = new Template('title', 'body')
    const values = { title: `"><script>'&`, body: renderChildren(<b>{'<'}</b>) }
    expect(String(template.fill('key', values, render))).toBe(
      '<a href="/&quot;&gt;&lt;script&gt;&#39;&amp;" title="&quot;&gt;&lt;script&gt;&#39;&amp;"><b>&lt;</b></a>',
    )
  })

  it('is rendered once for each key, and never keeps what filled it', () => {
    const template = new Template('title', 'body')
    let times = 0
    const count = (gaps: Readonly<Record<'title' | 'body', string>>) => {
      times += 1
      return render(gaps)
    }
    const fill = (key: string, body: string) => String(template.fill(key, { title: 'x', body }, count))
    expect(fill('one', 'first')).toContain('first')
    expect(fill('one', 'second')).not.toContain('first')
    fill('two', 'third')
    expect(times).toBe(2)
  })

  it('leaves a text alone that looks like a gap', () => {
    const template = new Template('title', 'body')
    const fake = '\uE000title\uE001'
    expect(String(template.fill('key', { title: 'secret', body: fake }, render))).toContain(`>${fake}<`)
  })

  it('renders children of any kind', () => {
    const children = [null, false, 'a & b', html`<i>c</i>`, <u>d</u>, [1, 2]]
    expect(String(renderChildren(children))).toBe('a &amp; b<i>c</i><u>d</u>12')
  })
})

describe('an icon', () => {
  it('is inline SVG that screen readers skip', () => {
    expect(String(<Icon name="copy" />)).toMatch(
      /^<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><rect [^>]*\/>.*<\/svg>$/,
    )
  })
})
