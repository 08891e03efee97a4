import { type CodeEditor, getLineBreak } from '../code-editor/code-editor.ts'
import { SaveError } from '../document-form/form-errors.ts'

/** Characters of texts that are compared: more would hold up the page. */
const MOST_COMPARED = 2 * 1024 * 1024

const SAVED_MEANWHILE = 'Somebody else saved this document after you opened it, so yours is not saved yet.'
const COMPARED =
  'Compare: what is struck out stands there now, and goes when you save; the marked lines under it are yours.'
const TOO_LONG = 'It is too long to be compared here: look at it in another tab before you save over it.'

/** Line breaks as the editor counts them. */
const evenly = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

const loadComparison = () =>
  Promise.all([import('../code-editor/comparison.ts'), import('./merge.ts')]).catch(() => {
    throw new SaveError(
      'Somebody else saved this document after you opened it, and the part of this page that compares both ' +
        'could not be loaded. Nothing is lost: save again when you are online.',
    )
  })

interface Texts {
  /** What both began with. */
  readonly base: string
  /** What stands there now. */
  readonly theirs: string
}

export interface Comparison {
  /** What stands there now, as the editor would have it. */
  readonly present: string
  /** For whoever wrote. */
  readonly words: string
}

/**
 * Puts what somebody else saved together with what stands in the editor, and shows there what differs. Where both
 * changed the same lines, those in the editor stay.
 */
export async function mergeConflict(editor: CodeEditor, { base, theirs }: Texts): Promise<Comparison> {
  const mine = editor.text()
  const lineBreak = getLineBreak(theirs)
  const withLineBreaks = (text: string) => text.replaceAll('\n', lineBreak)
  const present = withLineBreaks(evenly(theirs))
  const tell = (...words: string[]) => ({ present, words: [SAVED_MEANWHILE, ...words].join(' ') })
  if (mine === base || evenly(mine) === evenly(theirs)) {
    if (mine !== theirs) editor.replace(theirs)
    editor.extend(null)
    return { ...tell('The text is theirs now. Save again for what you have set.'), present: theirs }
  }
  if (mine.length + theirs.length > MOST_COMPARED) return tell(TOO_LONG)
  const [{ showDifferences: comparison }, { mergeTexts }] = await loadComparison()
  const merged = mergeTexts(evenly(base), evenly(mine), evenly(theirs))
  if (merged.text !== evenly(mine)) editor.replace(withLineBreaks(merged.text))
  editor.extend(comparison(evenly(theirs)))
  return tell(
    merged.theirs > 0 ? 'What they changed elsewhere is in your text already.' : '',
    COMPARED,
    'Then save again.',
  )
}
