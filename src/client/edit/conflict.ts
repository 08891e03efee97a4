import type { CodeEditor } from '../code-editor/code-editor.ts'
import { getLineBreak, toLf } from '../code-editor/line-breaks.ts'
import { SaveError } from '../document-form/save-errors.ts'

/** Of both texts. More would block the page. */
const MAX_COMPARED_CHARACTERS = 2 * 1024 * 1024

const NOT_SAVED = 'Someone else saved this document after you opened it, so your changes aren’t saved yet.'
const COMPARED =
  'Crossed-out lines are the saved version; highlighted lines are yours. Choose one in each place, then save.'
const TOO_LONG =
  'The text is too long to compare here. Open the saved version in another tab before you save over it.'

const loadComparison = () =>
  import('./comparison.ts').catch(() => {
    throw new SaveError(
      'Someone else saved this document after you opened it, and the tool that compares both versions couldn’t be ' +
        'loaded. Your text is still here. Save again when you’re online.',
    )
  })

/** Where both changed the same lines, the code editor's stay. */
export async function mergeConflict(
  codeEditor: CodeEditor,
  { base, theirs }: { base: string; theirs: string },
): Promise<{ readonly saved: string; readonly message: string }> {
  const current = codeEditor.text()
  const lineBreak = getLineBreak(theirs)
  const withLineBreaks = (text: string) => text.replaceAll('\n', lineBreak)
  const saved = withLineBreaks(toLf(theirs))
  const report = (...sentences: string[]) => ({
    saved,
    message: [NOT_SAVED, ...sentences].filter(Boolean).join(' '),
  })
  if (current === base || toLf(current) === toLf(theirs)) {
    if (current !== theirs) codeEditor.replace(theirs)
    codeEditor.setExtension(null)
    return {
      ...report('The code editor now shows the saved text. Save again to apply your settings.'),
      saved: theirs,
    }
  }
  if (current.length + theirs.length > MAX_COMPARED_CHARACTERS) return report(TOO_LONG)
  const { mergeTexts, showDifferences } = await loadComparison()
  // The user may have typed in the meantime.
  const mine = codeEditor.text()
  const merged = mergeTexts(toLf(base), toLf(mine), toLf(theirs))
  if (merged.text !== toLf(mine)) codeEditor.replace(withLineBreaks(merged.text))
  codeEditor.setExtension(showDifferences(toLf(theirs)))
  return report(merged.theirs > 0 ? 'Their changes to other lines are already in your text.' : '', COMPARED)
}
