import { nanoid } from 'nanoid'
import type { AppContext } from '../../env.ts'
import { contentSecurityPolicy } from '../../platform/security-headers.ts'
import { MARKDOWN_STYLES, SCRIPTS } from '../assets.generated.ts'

export interface CodeEditorOptions {
  readonly styleNonce: string
  readonly maxContentBytes: number
}

export const codeEditorData = ({ styleNonce, maxContentBytes }: CodeEditorOptions) => ({
  'data-style-nonce': styleNonce,
  'data-max-content-bytes': maxContentBytes,
  // For the preview of Markdown.
  'data-highlight-worker': SCRIPTS.highlightWorker,
  'data-markdown-styles': MARKDOWN_STYLES,
})

export function createCodeEditorOptions(
  c: AppContext,
  { turnstileSiteKey = null }: { readonly turnstileSiteKey?: string | null } = {},
): {
  readonly codeEditor: CodeEditorOptions
  readonly headers: Readonly<Record<string, string>>
} {
  const styleNonce = nanoid()
  return {
    codeEditor: { styleNonce, maxContentBytes: c.var.config.maxContentBytes },
    headers: {
      'Content-Security-Policy': contentSecurityPolicy({ styleNonce, turnstile: turnstileSiteKey !== null }),
    },
  }
}
