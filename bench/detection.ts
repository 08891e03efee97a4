import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { readCorpus, readOutputs, type Snippet } from '../scripts/support/detection-corpus.ts'
import { parseOptions, ROOT } from '../scripts/support/script.ts'
import { detectLanguage } from '../src/shared/detection/detect-language.lazy.ts'
import { median } from './load.ts'

const HELP = `Measures how often language detection is right, how long it takes and how large it is.

Usage: npm run bench -- detection [-- --failures]

Some of the snippets are held out: while you improve detection, look only at the failures of the others,
which --failures prints.
`

/** Returns a line such as "95.0 % (19 of 20)". */
function formatShare(part: readonly unknown[], all: readonly unknown[]): string {
  return `${((100 * part.length) / all.length).toFixed(1)} % (${part.length} of ${all.length})`
}

const isRight = ({ text, language }: Snippet): boolean => detectLanguage(text).language === language

function printAccuracy(title: string, snippets: readonly Snippet[]): void {
  const right = snippets.filter(isRight)
  const confident = snippets.filter(({ text }) => detectLanguage(text).confident)
  console.log(`${title}: ${formatShare(right, snippets)} right`)
  console.log(
    `  confident: ${formatShare(confident, snippets)}, of those right: ${formatShare(confident.filter(isRight), confident)}`,
  )
}

/** Markdown isn't code, and outputs of language models are often written in it. */
const isCode = ({ text }: Snippet): boolean =>
  !['plaintext', 'log', 'markdown'].includes(detectLanguage(text).language)

function printOutputs(showFailures: boolean): void {
  const outputs = readOutputs()
  for (const heldOut of [false, true]) {
    const part = outputs.filter((output) => output.heldOut === heldOut)
    const wrong = part.filter(isCode)
    console.log(
      `Outputs of tools, ${heldOut ? 'held out' : 'used for tuning'}: ${formatShare(wrong, part)} taken for code`,
    )
    if (!showFailures || heldOut) continue
    for (const { name, text } of wrong) console.log(`  ${name}: ${detectLanguage(text).language}`)
  }
}

/** Inputs of 10 MiB that are meant to be slow. */
const HOSTILE: readonly string[] = [
  'a',
  ' ',
  '\n',
  '(',
  '"',
  '<',
  '[',
  '{',
  '<a ',
  '- ',
  'a b ',
  'a, ',
  'a=',
  'a: ',
  '$a',
  '\\',
  '* ',
  '`',
  '{"a":',
  '[1,',
  'a.',
  '@',
  '#',
  'a(a ',
  'def a(',
  'a<a',
  'let a ',
  'a::',
  'a->',
  '| ',
  '\t',
  '1 ',
  "'",
  'a: a\n',
  'a=a\n',
  'x,y\n',
  'at a.b(',
  'select a, ',
  'fn a(',
  ' \n',
  '"a\\',
  'const a = ',
  `${'x '.repeat(79)}\n`,
  'const x = (a, b) => {\n',
  '2024-01-01 10:00:00 ',
].map((part) => part.repeat(Math.ceil((10 * 1024 * 1024) / part.length)))

function measureMs(text: string): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now()
    detectLanguage(text)
    return performance.now() - start
  })
  return median(times)
}

function measureBundle(): number {
  const entry = join(ROOT, 'src/shared/detection/detect-language.lazy.ts')
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '').length
}

export async function measureDetection(): Promise<void> {
  const options = parseOptions(HELP, { failures: { type: 'boolean' } })
  const corpus = readCorpus()
  const tuned = corpus.filter(({ heldOut }) => !heldOut)
  const languages = new Set(corpus.map(({ language }) => language)).size
  console.log(`${corpus.length} snippets in ${languages} languages`)
  printAccuracy('Used for tuning', tuned)
  printAccuracy(
    'Held out',
    corpus.filter(({ heldOut }) => heldOut),
  )
  if (options.failures) {
    for (const snippet of tuned.filter((each) => !isRight(each))) {
      const { language, confident } = detectLanguage(snippet.text)
      console.log(`  ${snippet.language}/${snippet.name}: ${language}${confident ? ', confident' : ''}`)
    }
  }
  printOutputs(options.failures ?? false)
  console.log(`Median of all snippets: ${median(corpus.map(({ text }) => measureMs(text))).toFixed(2)} ms`)
  console.log(
    `Slowest of ${HOSTILE.length} hostile texts of 10 MiB: ${Math.max(...HOSTILE.map(measureMs)).toFixed(1)} ms`,
  )
  console.log(`Size: ${(measureBundle() / 1024).toFixed(1)} KiB gzip`)
}
