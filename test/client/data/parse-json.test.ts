import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ParsedJson, parseJson } from '../../../src/client/data/parse-json.ts'

const show = (json: ParsedJson, count = 1_000) =>
  json
    .getRows(0, count)
    .map(({ depth, key, index, value, hasComma, fold }) =>
      [
        ' '.repeat(depth),
        key === null ? (index === null ? '' : `${index}=`) : `${key}=`,
        value,
        hasComma ? ',' : '',
        fold?.isFolded ? `(${fold.items})` : '',
      ].join(''),
    )

const ORDER = '{"id":12345678901234567890,"items":[{"a":1.0},[],{ },"x"],"a\\"b":{"deep":[null]}}'

describe('what isn’t strict JSON', () => {
  it.each([
    [
      '{"a": NaN, "b": [-Infinity, Infinity]}',
      'JSON5: NaN, Infinity',
      ['{', '"a"=NaN,', '"b"=[', '0=-Infinity,', '1=Infinity', ']', '}'],
    ],
    ['// x\n{"a": 1, /* "b": 2, */ "c": [1, 2, // y\n],\n}\n// z', 'JSON5: comments, trailing commas', null],
    [
      "{a: 'it\\'s \"b\"', $c: 0x1F, d: .5, e: +1}",
      'JSON5: names without quotes, single quotes, hexadecimal numbers, other forms of numbers',
      null,
    ],
    ['{"a": "// no comment, ]"}', null, ['{', '"a"="// no comment, ]"', '}']],
    ['{"a":1}\n{"a":2}\n', 'NDJSON: 2 values', null],
    ['{\n"a":1\n}\n{\n"a":2\n}\n', '2 values', null],
    ['{"a":NaN}\n{"a":2}\n', '2 values · JSON5: NaN', null],
  ])('%j has a note', (text, note, rows) => {
    const json = parseJson(text, 'json')
    expect(json.facts.note).toBe(note)
    if (rows) expect(show(json).map((row) => row.trim())).toEqual(rows)
  })

  it('keeps its values, and has the paths of its names', () => {
    const json = parseJson("// x\n{a: {'b c': [1, NaN, /* y */ 2,],},}", 'json')
    expect(json.format()).toBe("{\n  a: {\n    'b c': [\n      1,\n      NaN,\n      2\n    ]\n  }\n}\n")
    expect(json.getPath(4)).toBe('.a["b c"][1]')
  })

  it.each([
    '{"a": nope}',
    '{"a" 1} // x',
    '[1, 2',
    '{"a": 1,, }',
    "{'a': 'b}",
    '{"a": None}',
    '/* never ends',
  ])('%j is refused', (text) => {
    expect(() => parseJson(text, 'json')).toThrow(/^This isn’t valid JSON\. \S/)
  })

  it('takes a time in proportion to its length', () => {
    for (const unit of ['[1,]', '{"a":NaN}\n', '// x\n', "'\\", '/*', 'a:', ',/**/'])
      try {
        parseJson(unit.repeat(100_000), 'json')
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
  })
})

describe('the tree of JSON', () => {
  it('has a row for each value, as it is written', () => {
    const json = parseJson(ORDER, 'json')
    expect(show(json)).toEqual([
      '{',
      ' "id"=12345678901234567890,',
      ' "items"=[',
      '  0={',
      '   "a"=1.0',
      '  },',
      '  1=[],',
      '  2={},',
      '  3="x"',
      ' ],',
      ' "a\\"b"={',
      '  "deep"=[',
      '   0=null',
      '  ]',
      ' }',
      '}',
    ])
    expect(json.facts).toEqual({ rowCount: 16, hasFolds: true, note: null })
  })

  it('folds one value or all, and says how many values are in it', () => {
    const json = parseJson(ORDER, 'json')
    expect(json.fold(2, true)).toBe(9)
    expect(show(json)).toContain(' "items"=[,(4)')
    expect(json.fold(null, true)).toBe(5)
    expect(show(json)).toEqual(['{', ' "id"=12345678901234567890,', ' "items"=[,(4)', ' "a\\"b"={(1)', '}'])
    expect(json.fold(10, false)).toBe(7)
    expect(json.fold(null, false)).toBe(16)
  })

  it('gives the path of a value, as jq takes it', () => {
    const json = parseJson(ORDER, 'json')
    expect([0, 1, 4, 8, 12].map((line) => json.getPath(line))).toEqual([
      '.',
      '.id',
      '.items[0].a',
      '.items[3]',
      '.["a\\"b"].deep[0]',
    ])
    expect(parseJson('[[1]]', 'json').getPath(2)).toBe('.[0][0]')
    expect(parseJson('[{"a":1}]', 'json').getPath(2)).toBe('.[0].a')
  })

  it('reads lines of JSON', () => {
    const json = parseJson('{"a":1}\n\n2\n', 'jsonl')
    expect(show(json)).toEqual(['{', ' "a"=1', '}', '2'])
    expect(show(parseJson('\uFEFF1\n2\n', 'jsonl'))).toEqual(['1', '2'])
    expect(() => parseJson('{}\n{', 'jsonl')).toThrow(SyntaxError)
    expect(() => parseJson('{"a":1}\n{', 'json')).toThrow(SyntaxError)
  })

  it('formats any JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const json = parseJson(text, 'json')
        const formatted = json.format()
        expect(JSON.parse(formatted)).toEqual(JSON.parse(text))
        json.fold(null, true)
        expect(json.format()).toBe(formatted)
      }),
    )
    expect(parseJson(ORDER.replace('12345678901234567890', '1').replace('1.0', '1'), 'json').format()).toBe(
      `${JSON.stringify(JSON.parse(ORDER.replace('12345678901234567890', '1')), null, 2)}\n`,
    )
  })

  it('cuts a long key in its row only', () => {
    const key = 'x'.repeat(2_000)
    const json = parseJson(`{"${key}":1}`, 'json')
    expect(json.getRows(1, 2)[0]?.key).toBe(`"${key.slice(0, 999)}…`)
    expect(json.getPath(1)).toBe(`.${key}`)
    expect(json.format()).toBe(`{\n  "${key}": 1\n}\n`)
  })

  it('reads ten million characters of any kind, and starts with them folded', () => {
    const long = parseJson(JSON.stringify({ text: 'x\\"'.repeat(3_000_000) }), 'json')
    expect(long.getRows(1, 2)).toMatchObject([{ isCut: true }])
    expect(long.getRows(1, 2)[0]?.value).toHaveLength(1_000)
    const many = parseJson(JSON.stringify(Array(200_000).fill({ id: 1, tags: ['a'] })), 'json')
    expect(many.facts.rowCount).toBe(200_002)
    expect(many.fold(null, false)).toBe(1_200_002)
    const deep = parseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'json')
    expect(deep.getRows(0, 1)[0]?.fold?.items).toBe(1)
    expect(deep.getPath(99_999)).toBe(`.${'[0]'.repeat(99_999)}`)
    expect(deep.format().length).toBeLessThan(50_000_000)
  })
})
