import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Prints how many clauses passed, and which ones weren't checked, grouped by the reason. */
export class Summary implements Reporter {
  readonly #url: string
  readonly #print: (text: string) => void

  constructor(url: string, print: (text: string) => void) {
    this.#url = url
    this.#print = print
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const clauses = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => clauses.filter((clause) => clause.result().state === state)
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

function getNote(clause: TestCase): string {
  const result = clause.result()
  return (result.state === 'skipped' && result.note) || 'left out'
}
