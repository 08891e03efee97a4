import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node'
import type { Target } from './target.ts'

/** Measured on a development server with Regent's default limits, by the number of accounts that share the writes. */
const MINUTES_WITH_LIMITS = [3, 11, 7]

/** Says what a run sends, how long it takes, and why. */
export function describeDuration({ key, secondKey }: Pick<Target, 'key' | 'secondKey'>): string {
  const accounts = [key, secondKey].filter((known) => known !== '').length
  return [
    'A complete run sends about 1,150 requests, half of them writes. Without rate limits, it takes about a minute.',
    `With Regent's default limits, it takes about ${MINUTES_WITH_LIMITS[accounts]} minutes, and mostly waits: a server then takes`,
    '60 writes a minute from an account, and 20 documents a minute without one.',
    ...(accounts === 1 ? ['With --second-key, two accounts share the writes.'] : []),
  ].join('\n')
}

const MARKS = { passed: '✓', failed: '✗', skipped: '-', pending: ' ' } as const

/** Prints each clause when it's done, what failed, and the clauses that weren't checked, grouped by the reason. */
export class ClauseReporter implements Reporter {
  readonly #url: string
  readonly #print: (text: string) => void
  readonly #startedAt = performance.now()
  #files = 0
  #filesDone = 0
  #lastLog = ''

  constructor(url: string, print: (text: string) => void) {
    this.#url = url
    this.#print = print
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
  }

  onTestCaseResult(clause: TestCase): void {
    const { state } = clause.result()
    if (state !== 'skipped') this.#print(`  ${MARKS[state]} ${clause.name}\n`)
  }

  onTestModuleEnd(): void {
    this.#filesDone += 1
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000)
    this.#print(`${this.#filesDone} of ${this.#files} files after ${seconds} seconds\n`)
  }

  /** Clauses that wait at the same time say the same. */
  onUserConsoleLog({ content }: { readonly content: string }): void {
    if (content !== this.#lastLog) this.#print(content)
    this.#lastLog = content
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const clauses = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => clauses.filter((clause) => clause.result().state === state)
    for (const clause of inState('failed')) this.#print(`\n✗ ${clause.name}\n${describeErrors(clause)}`)
    const broken = [...modules.flatMap((module) => module.errors()), ...unhandled]
    for (const { message } of broken) this.#print(`\n${message}\n`)
    const unchecked = Map.groupBy(inState('skipped'), getNote)
    this.#print(
      `\n${this.#url}: ${inState('passed').length} clauses hold, ${inState('failed').length} don't, ` +
        `${inState('skipped').length} weren't checked.\n`,
    )
    for (const [need, group] of unchecked) {
      this.#print(`\nNot checked: ${need}\n${group.map(({ name }) => `  ${name}\n`).join('')}`)
    }
  }
}

const describeErrors = (clause: TestCase): string =>
  (clause.result().errors ?? [])
    .map(({ message, diff, stacks }) => {
      const at = stacks?.[0] && `    at ${stacks[0].file}:${stacks[0].line}\n`
      return `${message}\n${diff ?? ''}\n${at ?? ''}`
    })
    .join('')

function getNote(clause: TestCase): string {
  const result = clause.result()
  return (result.state === 'skipped' && result.note) || 'left out'
}
