import type { RendererRule, Token } from 'markdown-it'
import { toReference } from '../../../shared/escape.ts'
import { findLanguage, PLAIN_TEXT } from '../../../shared/languages.ts'
import { getCodeTokens, loadParser } from '../../highlight/code-tokens.ts'
import { CODE_STYLES, TOKEN_SIZE, type Tokens } from '../../highlight/tokens.ts'

/** UTF-16 units of code that are highlighted in one block and in all blocks of a text. */
const MAX_BLOCK = 64 * 1024
const MAX_TOTAL = 512 * 1024
/** Tokens with a colour in one block. More elements would freeze the page, so the rest of the block has none. */
const MAX_COLOURED = 600

export const escapeText = (text: string): string => text.replaceAll(/[&<>]/g, toReference)

function renderTokens(code: string, tokens: Tokens): string {
  let html = ''
  let end = 0
  for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
    const [from = 0, to = 0, style = 0] = tokens.subarray(at, at + TOKEN_SIZE)
    if (from < end) continue
    html += `${escapeText(code.slice(end, from))}<span class="${CODE_STYLES[style]}">${escapeText(code.slice(from, to))}</span>`
    end = to
  }
  return html + escapeText(code.slice(end))
}

/** The first word. Some tools add a dot, braces or a file name. */
const getLanguageName = ({ info }: Token): string => /^\s*\{?\.?([^\s{},:]+)/.exec(info)?.[1] ?? PLAIN_TEXT

type Highlight = (fence: Token) => Promise<void>

/** Starts to load the languages of all fences at once, so that they don't wait for each other. */
export function prepareHighlighting(tokens: readonly Token[]): Highlight {
  const parsers = new Map<string, ReturnType<typeof loadParser>>()
  let left = MAX_TOTAL
  for (const token of tokens) {
    const name = token.type === 'fence' ? findLanguage(getLanguageName(token))?.name : undefined
    // Without a language's parser, for example offline, its code has no colours.
    if (name && !parsers.has(name))
      parsers.set(
        name,
        loadParser(name).catch(() => null),
      )
  }
  return async (fence) => {
    const { content } = fence
    const language = findLanguage(getLanguageName(fence))
    const parser = language && (await parsers.get(language.name))
    if (!parser || content.length > MAX_BLOCK || content.length > left) return
    left -= content.length
    try {
      const { tokens } = getCodeTokens(parser, content)
      fence.meta = { html: renderTokens(content, tokens.subarray(0, MAX_COLOURED * TOKEN_SIZE)) }
    } catch (error) {
      // Code that is nested too deeply overflows the stack.
      if (!(error instanceof RangeError)) throw error
    }
  }
}

export const renderFence: RendererRule = (tokens, index) => {
  const { meta, content = '' } = tokens[index] ?? {}
  return `<pre><code>${meta?.html ?? escapeText(content)}</code></pre>\n`
}
