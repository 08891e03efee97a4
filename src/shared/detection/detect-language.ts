import { findLanguageOfFile } from '../languages/file-languages.ts'
import { PLAIN_TEXT } from '../languages/languages.ts'
import { withoutComments } from './comments.ts'
import { detectConfiguration } from './configuration.ts'
import { isJson, isJsonFragment, isJsonLines } from './json.ts'
import { isLog } from './logs.ts'
import { getProseRatio } from './prose.ts'
import { type Sample, takeSample } from './sample.ts'
import { scoreLanguages } from './score.ts'
import { detectSignature } from './signatures.ts'
import { detectTable } from './tables.ts'

export interface DetectedLanguage {
  /** A name from `LANGUAGES`; `plaintext` if no other is clearly more likely. */
  readonly language: string
  /** False if the text gives little evidence, such as a single short line. */
  readonly confident: boolean
}

/** A text with fewer points is plain text. */
const MIN_POINTS = 4
/** How many more points a text needs if all its lines are sentences. A tenth may be comments. */
const PROSE_POINTS = 20
/** A text with so many points, and so many times as many as any other language has, is certain. */
const CONFIDENT_POINTS = 7
const CONFIDENT_LEAD = 1.3
/** One sign may be a coincidence, however often it is there. */
const CONFIDENT_SIGNS = 2
/** With more sentences than this, a text that isn't a prose format may be prose with examples of code. */
const CONFIDENT_PROSE_RATIO = 0.25

/** Formats that are mostly prose themselves. */
const PROSE_FORMATS: ReadonlySet<string> = new Set(['markdown', 'latex', 'html'])

/**
 * Detects the language of a text from its file name, if it has one, and from its start.
 *
 * It tries what leaves no doubt first: file name, shebang, first characters. Then come formats with a
 * structure, such as JSON, logs and CSV. Only then it counts the signs of each language.
 *
 * @example detectLanguage('select 1 from users;').language // 'sql'
 */
export function detectLanguage(
  text: string,
  { fileName = '' }: { readonly fileName?: string | undefined } = {},
): DetectedLanguage {
  const fromFileName = findLanguageOfFile(fileName)
  if (fromFileName) return { language: fromFileName, confident: true }
  const sample = takeSample(text)
  const certain = detectSignature(sample) ?? detectStructure(sample)
  return certain ? { language: certain, confident: true } : detectFromSigns(sample)
}

function detectStructure(sample: Sample): string | null {
  if (isJsonLines(sample)) return 'jsonl'
  if (isJson(sample) || isJsonFragment(sample)) return 'json'
  if (isLog(sample)) return 'log'
  return detectTable(sample)
}

function detectFromSigns(sample: Sample): DetectedLanguage {
  const text = withoutComments(sample.text)
  const proseRatio = getProseRatio(text.split('\n'))
  const [first, second] = scoreLanguages(text)
  const configuration = proseRatio < 0.5 ? detectConfiguration(sample) : null
  if (configuration && (first?.points ?? 0) < 2 * CONFIDENT_POINTS)
    return { language: configuration, confident: true }
  if (!first) return { language: PLAIN_TEXT, confident: false }
  const proseFormat = PROSE_FORMATS.has(first.language)
  const needed = MIN_POINTS + (proseFormat ? 0 : PROSE_POINTS * Math.max(0, proseRatio - 0.1))
  if (first.points < needed) return { language: PLAIN_TEXT, confident: false }
  const confident =
    first.signs >= CONFIDENT_SIGNS &&
    (proseFormat || proseRatio <= CONFIDENT_PROSE_RATIO) &&
    first.points >= CONFIDENT_POINTS &&
    first.points >= CONFIDENT_LEAD * (second?.points ?? 0)
  return { language: first.language, confident }
}
