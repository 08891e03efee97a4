/** The most that is rendered is a mebibyte. This leaves room for what surrounds a filling. */
const MAX = 1024 * 1024 - 64

const fill = (unit: string, units = MAX): string => unit.repeat(Math.floor(units / unit.length))

const number = (count: number, getUnit: (n: number) => string, units = MAX): string =>
  Array.from({ length: count }, (_, n) => getUnit(n))
    .join('')
    .slice(0, units)

const row = (cells: number): string => `${'|a'.repeat(cells)}|\n`

const table = (columns: number, rows: number): string =>
  `${row(columns)}${'|-'.repeat(columns)}|\n${row(columns).repeat(rows)}`

/**
 * Markdown that is meant to freeze a reader's page, by what it has much of. A text of many blocks, which are alike, can
 * also have another length.
 */
export const HOSTILE_MARKDOWN: Readonly<Record<string, (units?: number) => string>> = {
  // Nesting.
  'nested details': () => '<details>\n<summary>s</summary>\n'.repeat(20_000),
  'nested details in blocks': () => '<details>\n<summary>s</summary>\n\n'.repeat(20_000),
  'nested div': () => '<div>'.repeat(20_000),
  'nested div that are closed': () => `${'<div>'.repeat(20_000)}x${'</div>'.repeat(20_000)}`,
  'nested div in many blocks': () => `${'<div>'.repeat(90)}x\n\n`.repeat(2_000),
  'nested quotes': (units) => fill(`${'>'.repeat(95)} x\n\n`, units),
  'nested lists': (units) => fill(`${number(45, (n) => `${' '.repeat(n * 2)}- x\n`)}\n---\n`, units),
  'nested tables': () => fill('<table><tr><td>'),
  'nested tables in many blocks': (units) => fill(`${'<table><tr><td>'.repeat(24)}x\n\n`, units),
  'nested bold': () => fill('<b>'),
  'bold, each in a paragraph': (units) => fill('<b>x\n\n', units),
  'unclosed bold before paragraphs': (units = 900_000) =>
    number(90, (n) => `<b id=${n}>`) + fill('<p>x', units),
  'unclosed bold in a quote': (units = 900_000) =>
    `> ${number(90, (n) => `<b id=${n}>`)}${fill('\n>\n> x', units)}`,
  'nested spans': () => fill('<span>'),
  'nested spans after a word': () => `x ${fill('<span>', 100_000)}`,
  'nested svg and math': () => fill('<svg><math><mtext><table>'),
  'nested svg in a line': () => fill('x <svg><g><style></svg>\n'),
  'nested links': () => fill('<a href=#x><div>'),
  'nested emphasis': () => fill('*a **b '),
  'nested brackets': () => fill('['),
  'nested images': () => fill('![', 500_000),
  'nested templates': () => fill('<template>'),
  'nested selects': () => fill('<select><option>'),
  'misnested bold and div': () => fill('<b><div></b>'),
  'quotes around end tags': () => fill('<b title="</b>">'),
  'comments around end tags': () => fill('<b><!--</b>-->'),
  'raw text around end tags': () => fill('<b><xmp></b></xmp>'),
  'end tags that are ignored': () => fill('<b><table><td></b></td></table>'),
  'spans around paragraphs': () => fill('<span><p></span><div></div>'),
  // Numbers.
  links: () => number(40_000, (n) => `[l](https://e.example/${n})\n`),
  'links in paragraphs': (units) => number(30_000, (n) => `[l](https://e.example/${n})\n\n`, units),
  images: (units) => number(30_000, (n) => `![i](https://e.example/${n})\n\n`, units),
  headings: (units) => fill('# a\n', units),
  'headings with ids': (units) => number(70_000, (n) => `# head ${n}\n`, units),
  footnotes: () => number(30_000, (n) => `[^${n}] `) + number(30_000, (n) => `\n\n[^${n}]: note`),
  'references to a footnote': () => `${fill('[^1]', 120_000)}\n\n[^1]: note\n`,
  emoji: () => fill(':tada: ', 120_000),
  'emoji in paragraphs': (units) => fill(':tada:\n\n', units),
  fences: (units) => fill('```js\nlet a = 1\n```\n', units),
  'one fence of code': () => `\`\`\`js\n${fill('((a))=>{1};\n', 64_000)}\`\`\`\n`,
  'one fence of text': () => `\`\`\`\n${fill('word word word\n')}`,
  'one fence of one line': () => `\`\`\`\n${fill('word ')}`,
  'an indented block': () => fill('    word word word\n'),
  tasks: (units) => fill('- [ ] a\n', units),
  'list items': (units) => fill('- a\n', units),
  'numbered items in paragraphs': (units) => fill('1. a\n\n', units),
  alerts: (units) => fill('> [!NOTE]\n> a\n\n', units),
  rules: (units) => fill('---\n', units),
  'line breaks': () => fill('a\\\n', 120_000),
  'inline code': () => fill('`a` ', 120_000),
  // Tables.
  'a wide table': () => table(10_000, 10),
  'a long table': () => table(2, 50_000),
  'a square table': () => table(400, 400),
  'many tables': (units) => fill('a|b\n-|-\nc|d\n\n', units),
  'a table in HTML': () => `<table>${fill('<tr><td>a<td>b')}`,
  'a table with spans': () => `<table>${fill('<tr><td rowspan=65534 colspan=1000>a')}`,
  'a table with columns': () => `<table>${fill('<col span=1000>')}<tr><td>a`,
  // Length.
  'one paragraph': () => fill('word '),
  'one paragraph of one word': () => fill('a'),
  'one long paragraph': () => fill('word ', 128 * 1024),
  'one long paragraph of one word': () => fill('a', 128 * 1024),
  'one long paragraph of combining characters': () => fill('a\u0301\u0302\u0303', 128 * 1024),
  'one long paragraph of directions': () => fill('abc \u202Eדעה\u202C 12 ', 128 * 1024),
  'paragraphs of 100 KB': () => `${fill('word ', 100_000)}\n\n`.repeat(10),
  'short lines after long ones': () => `${`${'x'.repeat(2_700)}\n`.repeat(50)}${'a\n'.repeat(199_000)}`,
  'short paragraphs': (units) => fill('a\n\n', units),
  entities: () => fill('&amp;&#60;', 120_000),
  'entities in HTML': () => `<div>${fill('&amp;&lt;b&gt;')}`,
  'text in HTML': () => `<div>${fill('word ')}`,
  'a long address': () => `[x](https://e.example/${fill('%F0%9F')})`,
  attributes: () => `<p ${number(90_000, (n) => `a${n}=1 `)}>x`,
  'attributes of many elements': () => fill('<p class="md-a" id="x" title="y" lang="z">x'),
  'long attributes': () => `<p title="${fill('</b> ')}">x`,
  'styles of the author': () => fill('<p style="color:red">x'),
  'tags that never end': () => fill('<a '),
  'tags that never end, in lines': (units) => fill('<a \n\n', units),
  comments: (units) => fill('<!-- x -->\n\n', units),
  'comments that never end': () => fill('<!--'),
  'details in blocks': (units) => fill('<details><summary>s</summary>\n\n*x*\n\n</details>\n\n', units),
  'unclosed details before text': (units) => `<details>\n\n${fill('*word*\n\n', units)}`,
  'anchors by name': (units) => number(40_000, (n) => `<a name="a${n}"></a>\n\n`, units),
  ruby: () => fill('<ruby>a<rt>b'),
  'link definitions': () => number(30_000, (n) => `[${n}]: https://e.example/${n}\n`),
  'references to link definitions': () =>
    number(15_000, (n) => `[${n}]: https://e.example/${n}\n`) + number(15_000, (n) => `[${n}]\n\n`),
  'empty paragraphs': () => fill('<p></p>'),
  'empty paragraphs in blocks': (units) => fill('<p></p>\n\n', units),
  'line breaks in HTML': () => fill('<br>'),
  'line breaks in HTML, in lines': () => fill('<br>\n'),
  'nested subscripts': () => fill('<sub>'),
  'nested subscripts in many blocks': (units) => fill(`${'<sub>'.repeat(90)}x\n\n`, units),
  'nested ruby': () => fill('<ruby><rt>'),
  'headings in HTML': (units) => fill('<h1>a</h1>\n\n', units),
  'footnotes of several paragraphs': () =>
    number(10_000, (n) => `[^${n}]\n\n[^${n}]: a\n\n    b\n\n    c\n\n`),
  'tasks in nested lists': (units) =>
    fill(`${number(20, (n) => `${' '.repeat(n * 2)}- [x] x\n`)}\n---\n`, units),
  'emoji characters': () => fill('\u{1F468}\u200D\u{1F469}\u200D\u{1F467} ', 300_000),
  'characters that no font has': () => fill('\uE000\uE001\uE002 ', 300_000),
  'emphasis of each letter': (units) => fill('*a* **b** ~~c~~ `d`\n\n', units),
  addresses: (units) => fill('https://e.example/ \n\n', units),
  'email addresses': () => fill('a@e.example '),
  // As much as one block or a short text may have.
  'a short text of list items': () => fill('- a\n', 16_000),
  'a short text of paragraphs': () => fill('a\n\n', 16_000),
  'tables in HTML as large as a block may be': (units) =>
    fill(`<table>${'<tr><td>a<td>b'.repeat(420)}</table>\n\n`, units),
  'paragraphs in HTML as large as a block may be': (units) =>
    fill(`<div>${'<p>a</p>'.repeat(1_100)}</div>\n\n`, units),
  'bold as large as a block may be': (units) => fill(`${'<b>a</b>'.repeat(1_100)}\n\n`, units),
  'inline code as large as a block may be': (units) => fill(`${'`a` '.repeat(1_100)}\n\n`, units),
  'line breaks as large as a block may be': (units) => fill(`<div>${'a<br>'.repeat(1_600)}</div>\n\n`, units),
  'details as large as a block may be': (units) =>
    fill(`<div>${'<details open><summary>a</summary>b</details>'.repeat(130)}</div>\n\n`, units),
  'nested blocks as large as a block may be': (units) =>
    fill(`${`${'<blockquote><ul><li>'.repeat(30)}a${'</blockquote>'.repeat(30)}`.repeat(30)}\n\n`, units),
  'rows as large as a block may be': (units) => fill(`${table(100, 3)}\n`, units),
  'long blocks of code': (units) => fill(`\`\`\`js\n${'let a = [1]\n'.repeat(200)}\`\`\`\n`, units),
  'paragraphs of 30 KB': () => `${fill('word ', 30_000)}\n\n`.repeat(30),
  'paragraphs of 30 KB of directions': () =>
    `${fill('abc \u202E\u05D3\u05E2\u05D4\u202C 12 ', 30_000)}\n\n`.repeat(20),
}
