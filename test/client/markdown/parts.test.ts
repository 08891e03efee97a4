import { describe, expect, it } from 'vitest'
import { getTargetIds } from '../../../src/client/markdown/markdown-view.ts'
import { HtmlCost } from '../../../src/client/markdown/parse/render-markdown.ts'
import { getReplacedParts } from '../../../src/client/markdown/preview.ts'

function count(html: string): HtmlCost {
  const cost = new HtmlCost()
  cost.add(html)
  return cost
}

describe('the cost of HTML', () => {
  it.each([
    ['text', 'word', 1, 0],
    ['elements', '<p>a<b>c</b></p>', 6, 2],
    ['characters that fonts may lack', '\u{1F600}\uE000', 5, 0],
    ['changes of direction', 'abc \u202Eדעה\u202C 12 דעה 12', 7, 0],
    ['text from right to left as any other', 'שלום, עולם', 1, 0],
    ['attributes', '<a href="x>y" title=z rel>', 4, 1],
    ['void elements', '<br><br/><hr>', 3, 0],
    ['items without end tags', '<ul><li>a<li>b<li>c</ul>', 8, 2],
    ['rows without end tags', '<table><tr><td>a<td>b<tr><td>c</table>', 15, 3],
    ['elements that take longer than others', '<details>a</details>', 23, 1],
    ['comments', '<!-- <b> --><!--><i>', 3, 1],
  ])('counts %s', (_, html, nodes, depth) => {
    expect(count(html)).toMatchObject({ nodes, depth })
  })

  it.each([
    ['quotes', '<b title="</b>">'],
    ['comments', '<b><!--</b>-->'],
    ['comments that end early', '<b><!----!><i><!--</b></i>-->'],
    ['comments that seem to end', '<b><!--!></b>-->'],
    ['cells', '<b><table><td></b></td></table>'],
    ['blocks', '<b><div></b>'],
    ['paragraphs', '<span><p></span><div></div>'],
    ['foreign elements', '<b><svg></b></svg>'],
  ])('counts an element as open if its end tag is ignored because of %s', (_, html) => {
    expect(count(html.repeat(50)).depth).toBeGreaterThanOrEqual(50)
  })

  it('counts formatting elements again in each block, because the parser opens them again', () => {
    expect(count(`<p><b><i></p>${'<p>x</p>'.repeat(100)}`).nodes).toBeGreaterThan(500)
  })

  it.each(['<a href="', '<!-- x', '<b', "<i x='>"])('notices that %s does not end', (html) => {
    expect(count(html).isCut).toBe(true)
  })

  it('takes a bounded time', () => {
    for (const unit of ['<a ', '<b>', '<!--', '<p a="', '</', '<b><p>', '<li><b>'])
      expect(count(unit.repeat(1_000_000 / unit.length)).nodes).toBeGreaterThan(0)
  })
})

describe('the ids that a fragment may mean', () => {
  it.each([
    ['#install', ['user-content-install']],
    ['#Install', ['user-content-Install', 'user-content-install']],
    ['#user-content-install', ['user-content-install']],
    ['#%C3%BCber', ['user-content-über']],
    ['#100%', ['user-content-100%']],
    ['#', []],
    ['', []],
  ])('of %s', (hash, ids) => {
    expect(getTargetIds(hash)).toEqual(ids)
  })
})

const parts = (text: string) => [...text].map((html) => ({ html }))

describe('the parts of a preview that a change replaces', () => {
  it.each([
    ['nothing', 'abc', 'abc', 3, 3, ''],
    ['a part in the middle', 'abc', 'axc', 1, 2, 'x'],
    ['a part that is added between equal ones', 'aab', 'aaab', 2, 2, 'a'],
    ['a part that is removed', 'abc', 'ac', 1, 2, ''],
    ['everything', 'abc', 'xy', 0, 3, 'xy'],
    ['a first text', '', 'ab', 0, 0, 'ab'],
  ])('are %s', (_, before, after, start, end, added) => {
    expect(getReplacedParts(parts(before), parts(after))).toEqual({ start, end, added: parts(added) })
  })
})
