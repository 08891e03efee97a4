import type { Document } from '../../../documents/model/document.ts'
import { findLanguage } from '../../../shared/languages/languages.ts'
import { MAX_RENDERED } from '../../../shared/text/markdown.ts'
import { useFrame } from '../../layout/page-frame.ts'

/** Returns true if scripts show a document as rendered Markdown at once, unless the address links to a line. */
export const startsRendered = (
  { language, contentBytes }: Document,
  addressLanguage: string | null,
): boolean =>
  (addressLanguage ?? findLanguage(language)?.name) === 'markdown' &&
  contentBytes <= MAX_RENDERED &&
  !useFrame().path?.includes('view=source')
