import { nanoid } from 'nanoid'
import type { AppContext } from '../../env.ts'
import { contentSecurityPolicy } from '../layout/answer.ts'

/** What the script of a form with a text has to know. */
export interface WritingLimits {
  /** Of the style elements that the editor makes. */
  readonly styleNonce: string
  readonly maxContentBytes: number
}

/** The attributes of the form by which its script knows. */
export const writingData = ({ styleNonce, maxContentBytes }: WritingLimits) => ({
  'data-style-nonce': styleNonce,
  'data-max-content-bytes': maxContentBytes,
})

/** What a page to write on has to know, and the header that goes with it. */
export function writingFrame(c: AppContext): {
  readonly limits: WritingLimits
  readonly headers: Readonly<Record<string, string>>
} {
  const styleNonce = nanoid()
  return {
    limits: { styleNonce, maxContentBytes: c.var.config.maxContentBytes },
    headers: { 'Content-Security-Policy': contentSecurityPolicy({ styleNonce }) },
  }
}
