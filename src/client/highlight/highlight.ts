import { LONGEST_WHOLE } from '../../shared/lines.ts'
import { scriptAddress } from '../shared/trusted-script-url.ts'
import type { ShownText } from '../viewer/text-view.ts'
import type { HighlightAnswer, HighlightTask } from './tokens.ts'

/** UTF-16 units that are highlighted: beyond, the parser would take long and its result much memory. */
const MOST_HIGHLIGHTED = 2 * 1024 * 1024

/**
 * Lets the worker do something, off the main thread, and hands on what it answers.
 *
 * @param answered is also given what ends the worker, for when no more is wanted.
 * @param failed is called where the worker cannot run.
 */
function askWorker(
  address: string,
  task: HighlightTask,
  answered: (answer: HighlightAnswer, done: () => void) => void,
  // Without it a text stays as it is, which can be read.
  failed = () => {},
): void {
  const worker = new Worker(scriptAddress(address), { type: 'module' })
  const done = () => worker.terminate()
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => answered(data, done))
  worker.addEventListener('error', () => {
    done()
    failed()
  })
  worker.postMessage(task)
}

type Found = Extract<HighlightAnswer, { tokens: unknown }>

/** Colours a text by its language. `found` is called for its beginning, and for all that is coloured. */
export function highlightCode(
  address: string,
  language: string,
  text: ShownText,
  found: (found: Found) => void,
): void {
  const most = Math.min(text.length, MOST_HIGHLIGHTED)
  askWorker(address, { do: 'highlight', language, text: text.slice(0, most) }, (answer, done) => {
    if (!('tokens' in answer)) return done()
    found(answer)
    if (answer.last) done()
  })
}

/** Reads the colours of a terminal out of a text. `found` gets the text without them. */
export function readTerminal(address: string, text: string, found: (found: Required<Found>) => void): void {
  askWorker(address, { do: 'colours', text }, (answer, done) => {
    done()
    if ('tokens' in answer && answer.text !== undefined) found({ ...answer, text: answer.text })
  })
}

/**
 * Reads a text in Markdown. `found` gets what it is as HTML, part by part and not cleaned. Rejects where it can
 * not be read.
 */
export const readMarkdown = (address: string, text: string, found: (html: string) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Error('this Markdown could not be read'))
    askWorker(
      address,
      { do: 'markdown', text },
      (answer, done) => {
        if ('html' in answer) found(answer.html)
        if ('html' in answer && !answer.last) return
        done()
        if ('html' in answer) resolve()
        else fail()
      },
      fail,
    )
  })

/** Says among the facts of a document how far it is highlighted, where that is not all of it. */
export function sayHighlighted(text: ShownText, end: number): void {
  const limits = [
    ...(end === 0 ? ['no: this text is too deep for it'] : []),
    ...(end > 0 && end < text.length ? [`up to line ${text.lineAt(end)}`] : []),
    ...(text.longestLine > LONGEST_WHOLE
      ? [`lines of up to ${LONGEST_WHOLE.toLocaleString('en')} characters`]
      : []),
  ]
  if (limits.length === 0) return
  const fact = document.createElement('div')
  const [term, words] = [document.createElement('dt'), document.createElement('dd')]
  term.textContent = 'Highlighted'
  words.textContent = limits.join(', ')
  fact.append(term, words)
  document.querySelector('.facts')?.append(fact)
}
