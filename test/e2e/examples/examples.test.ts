import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import MarkdownIt from 'markdown-it'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from '../support/accounts.ts'
import { requestDocument } from '../support/documents.ts'
import { ROOT, type Service, startService } from '../support/service.ts'
import {
  FILES,
  fillPlaceholders,
  isForOperator,
  makeFolder,
  type Outcome,
  PLACEHOLDERS,
  runForOperator,
  runScript,
  runShell,
  scriptArguments,
} from './run.ts'

/** A fenced block of a Markdown file. */
interface Example {
  readonly file: string
  /** The line of its first fence, from 1. */
  readonly line: number
  readonly language: string
  /** The reason why the tests don't run it, or undefined if they do. */
  readonly notTested: string | undefined
  readonly text: string
}

/** Languages of blocks that can't be run. */
const FIGURES = ['', 'text', 'mermaid', 'html', 'toml', 'ini', 'diff', 'yaml', 'sql', 'caddyfile', 'nginx']

const NOT_TESTED = /^not-tested: (\S.*)$/

/**
 * Returns the examples in a Markdown file: commands, code and JSON.
 *
 * After its language, a block may have `not-tested: REASON`, which GitHub doesn't show.
 */
function extractExamples(file: string, markdown: string): Example[] {
  return new MarkdownIt()
    .parse(markdown, {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, map, content }) => {
      const [language = '', ...rest] = info.trim().split(/\s+/)
      const note = rest.join(' ')
      const line = (map?.[0] ?? 0) + 1
      const notTested = NOT_TESTED.exec(note)?.[1]
      if (note !== '' && notTested === undefined) {
        throw new Error(`${file}:${line}: "${note}" should be "not-tested: REASON"`)
      }
      return { file, line, language, notTested, text: content }
    })
    .filter(({ language }) => !FIGURES.includes(language))
}

const HELP = `
This test runs every fenced example in README.md and docs/*.md. Use only these placeholders:
${PLACEHOLDERS}
Examples may read these files: ${FILES.join(', ')}. If an example can't run in a test, start it with a line such as
\`\`\`sh not-tested: deploys to Cloudflare`

const files = ['README.md', ...readdirSync(`${ROOT}docs`).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
)

let service: Service
let key: string

beforeAll(async () => {
  service = await startService()
  key = (await addAccount(service.env, 'examples-reader')).key
})

/** Compares a JSON document or error in an example with a real response. */
async function expectShape(text: string): Promise<void> {
  const shown = JSON.parse(text)
  if (shown.success === false) {
    const response = await fetch(`${service.base}/v1/document/xxxxxxxx`)
    expect(Object.keys(shown.error)).toEqual(Object.keys(((await response.json()) as typeof shown).error))
  }
  if ('content' in shown && 'timestamps' in shown) {
    const created = await requestDocument(service, '', '', 'POST', { content: shown.content })
    const types = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, types(member)]))
        : typeof value
    expect(types(shown)).toEqual(types(created))
  }
}

function expectSuccess({ code, output }: Outcome): void {
  if (code !== 0 || /["']?success["']?: ?false/.test(output)) {
    expect.fail(`It ended with exit code ${code} and printed:\n${output}\n${HELP}`)
  }
}

/** Runs an example. Returns the name of a program that it needs if this machine doesn't have it. */
async function runExample({ language, text }: Example, folder: string): Promise<string | undefined> {
  if (language === 'json') {
    await expectShape(text)
    return undefined
  }
  if (isForOperator(text)) {
    for (const line of text.trim().split('\n')) {
      expect({ line, ...(await runForOperator(line, service)) }).toEqual({ line, code: 0, stderr: '' })
    }
    return undefined
  }
  const filled = await fillPlaceholders(text, service, key)
  const args = async () => (text.includes('argv') ? scriptArguments(service, key) : [])
  const commands =
    language === 'console' ? filled.replace(/^(?!\$ ).*\n?/gm, '').replace(/^\$ /gm, '') : filled
  let outcome: Outcome
  if (['sh', 'bash', 'console'].includes(language)) outcome = await runShell(folder, commands, key)
  else if (['js', 'mjs', 'ts', 'py', 'python'].includes(language)) {
    const extension = language.startsWith('py') ? 'py' : language === 'ts' ? 'ts' : 'mjs'
    outcome = await runScript(folder, { text: filled, extension, args: await args() }, key)
  } else expect.fail(`Nobody knows how to check an example in "${language}".${HELP}`)
  if (outcome.missing === undefined) expectSuccess(outcome)
  return outcome.missing
}

const documents = files
  .map((file) => {
    const examples = extractExamples(file, readFileSync(ROOT + file, 'utf8'))
    return { file, examples: examples.filter(({ notTested }) => notTested === undefined) }
  })
  .filter(({ examples }) => examples.length > 0)

describe.each(documents)('the examples in $file', ({ examples }) => {
  let folder: string

  beforeAll(async () => {
    folder = await makeFolder(service, key)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const named = examples.map(
    (example) => [`${example.line}: ${example.text.split('\n')[0]}`, example] as const,
  )

  it.for(named)('line %s', async ([, example], context) => {
    const missing = await runExample(example, folder)
    if (missing !== undefined) context.skip(`${missing} isn't installed`)
  })
})
