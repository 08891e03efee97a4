import { describe, expect, it } from 'vitest'
import { getCodeTokens, loadParser } from '../../../src/client/highlight/code-tokens.ts'
import { CODE_STYLES, getTokensBetween } from '../../../src/client/highlight/tokens.ts'

/** Returns the tokens of a text in the form `style(text)`. */
async function getStyled(language: string, text: string): Promise<string[]> {
  const parser = await loadParser(language)
  if (!parser) throw new Error(`no parser for ${language}`)
  const { tokens } = getCodeTokens(parser, text)
  return [...getTokensBetween(tokens, 0, text.length)].map(
    ({ from, to, style }) => `${CODE_STYLES[style]}(${text.slice(from, to)})`,
  )
}

describe('code tokens', () => {
  it.each([
    [
      'ts',
      'const a = 1 // b',
      ['tok-keyword(const)', 'tok-definition(a)', 'tok-number(1)', 'tok-comment(// b)'],
    ],
    ['python', '"x"', ['tok-string("x")']],
    ['tsx', 'const a: string = <b>c</b>', ['tok-type(string)', 'tok-tag(b)']],
    ['graphql', 'query { a }', ['tok-keyword(query)']],
    ['terraform', 'a = true # b', ['tok-keyword(true)', 'tok-comment(# b)']],
    ['dotenv', '# a', ['tok-comment(# a)']],
    ['diff', '+a\n-b\n', ['tok-inserted(+a)', 'tok-deleted(-b)']],
  ])('of %s are %j', async (language, text, expected) => {
    expect(await getStyled(language, text)).toEqual(expect.arrayContaining(expected))
  })

  it('reach the end of the text', async () => {
    const parser = await loadParser('json')
    expect(parser && getCodeTokens(parser, '[1, 2]').end).toBe(6)
  })
})

describe('loadParser', () => {
  it.each(['svelte', 'elixir', 'markdown', 'TypeScript'])('finds a parser for %s', async (language) => {
    expect(await loadParser(language)).not.toBeNull()
  })

  it.each(['plaintext', 'no-such-language', '"><script>'])('returns null for %s', async (language) => {
    expect(await loadParser(language)).toBeNull()
  })
})
