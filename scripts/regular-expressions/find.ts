import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/** A regular expression in a source file. */
export interface Pattern {
  /** `path:line`. */
  readonly at: string
  readonly source: string
  readonly flags: string
}

export interface Patterns {
  readonly known: readonly Pattern[]
  /** Where functions create regular expressions, so that this check can't know them: `path:line`. */
  readonly unknown: readonly string[]
}

interface Site {
  readonly line: number
  readonly inFunction: boolean
}

interface Parsed {
  readonly literals: readonly { line: number; source: string; flags: string }[]
  /** Where `new RegExp(…)` or `RegExp(…)` stands. */
  readonly constructions: readonly Site[]
}

/** Finds the regular expressions in the text of a module. */
export function parsePatterns(path: string, text: string): Parsed {
  const literals: Parsed['literals'][number][] = []
  const constructions: Site[] = []
  let depth = 0
  const enter = () => {
    depth += 1
  }
  const leave = () => {
    depth -= 1
  }
  const lineOf = (start: number) => text.slice(0, start).split('\n').length
  const construct = ({ callee, start }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    constructions.push({ line: lineOf(start), inFunction: depth > 0 })
  }
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    NewExpression: construct,
    CallExpression: construct,
    Literal: (literal) => {
      if (!('regex' in literal)) return
      const { pattern: source, flags } = literal.regex
      literals.push({ line: lineOf(literal.start), source, flags })
    },
  }).visit(program)
  return { literals, constructions }
}

/** Imports a module and returns the regular expressions that it constructs meanwhile, by line. */
async function recordConstructions(file: string): Promise<ReadonlyMap<number, RegExp>> {
  const recorded = new Map<number, RegExp>()
  const { RegExp: Original } = globalThis
  const record = (pattern: RegExp): RegExp => {
    const frame = new Error('to see where we are').stack?.split('\n').find((line) => line.includes(file))
    recorded.set(Number(frame?.split(':').at(-2)), pattern)
    return pattern
  }
  globalThis.RegExp = new Proxy(Original, {
    construct: (_, [source, flags]) => record(new Original(source, flags)),
    apply: (_, __, [source, flags]) => record(new Original(source, flags)),
  })
  try {
    // The query keeps this apart from an import that happened earlier.
    await import(`${pathToFileURL(file).href}?recorded`)
  } finally {
    globalThis.RegExp = Original
  }
  return recorded
}

/** Returns the regular expressions of a module: the literals, and those that it constructs when it's imported. */
export async function findPatterns(path: string, file: string): Promise<Patterns> {
  const { literals, constructions } = parsePatterns(path, await readFile(file, 'utf8'))
  const recorded = constructions.some(({ inFunction }) => !inFunction)
    ? await recordConstructions(file)
    : new Map<number, RegExp>()
  return {
    known: [
      ...literals.map(({ line, source, flags }) => ({ at: `${path}:${line}`, source, flags })),
      ...[...recorded].map(([line, { source, flags }]) => ({ at: `${path}:${line}`, source, flags })),
    ],
    unknown: constructions.filter(({ line }) => !recorded.has(line)).map(({ line }) => `${path}:${line}`),
  }
}
