import { nanoid } from 'nanoid'
import type { AppContext } from '../../env.ts'
import { contentSecurityPolicy } from '../../platform/security-headers.ts'
import { MARKDOWN_STYLES, SCRIPTS } from '../assets.generated.ts'

/** What the code editor's script needs to know from the page. */
export interface CodeEditorOptions {
  /** The nonce of the style elements that the code editor adds. */
  readonly styleNonce: string
  readonly maxContentBytes: number
}

/** Returns the attributes of the form that its script reads. */
export const codeEditorData = ({ styleNonce, maxContentBytes }: CodeEditorOptions) => ({
  'data-style-nonce': styleNonce,
  'data-max-content-bytes': maxContentBytes,
  // For the preview of Markdown.
  'data-highlight-worker': SCRIPTS.highlightWorker,
  'data-markdown-styles': MARKDOWN_STYLES,
})

/** Returns the options of a page's code editor, and the header that allows its styles. */
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
