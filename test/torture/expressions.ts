import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSafe } from 'redos-detector'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import { analyse } from 'scslre'
import { parseOptions } from '../../scripts/support/script.ts'
import { CommandError, ROOT } from '../../scripts/support/wrangler.ts'

/** Regular expressions that may take longer than linear time, or that the check can't know. */
interface Exception {
  /** A path, or its start if it ends with a slash. */
  readonly path: string
  readonly reason: string
}

const EXCEPTIONS: readonly Exception[] = [
  {
    path: 'src/shared/detection/',
    reason:
      'Detection sees at most 8,192 characters, in 160 lines of at most 160 characters: see formats.ts.',
  },
  {
    path: 'src/client/viewer/find-bar.ts',
    reason: 'Searches for escaped text, without operators.',
  },
  {
    path: 'src/client/logs/shown-lines.ts',
    reason: 'Searches for escaped text, without operators. Expressions of the reader run in RE2.',
  },
  {
    path: 'src/shared/table.ts',
    reason: 'The start of a table has at most 8,192 characters, and a number at most 40.',
  },
]

/** Returns the exception for a path, if there is one. */
const findException = (path: string): Exception | undefined =>
  EXCEPTIONS.find((exception) =>
    exception.path.endsWith('/') ? path.startsWith(exception.path) : path === exception.path,
  )

/** A regular expression in a source file. */
interface Pattern {
  /** `path:line`. */
  readonly at: string
  readonly source: string
  readonly flags: string
}

interface Patterns {
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
  const findLine = (start: number) => text.slice(0, start).split('\n').length
  const construct = ({ callee, start }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    constructions.push({ line: findLine(start), inFunction: depth > 0 })
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
      literals.push({ line: findLine(literal.start), source, flags })
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

/** Matches a group that repeats. Its alternatives may match the same text in many ways, which scslre doesn't look for. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d+,\})/

/** A pattern that takes longer than linear time has an infinite score. */
const OPTIONS = { maxScore: Number.POSITIVE_INFINITY, timeout: 1_000 }

/** Describes how a regular expression can take longer than linear time. Returns null if it can't. */
export function findSlowness({ at, source, flags }: Pattern): string | null {
  const { reports } = analyse({ source, flags }, { maxReports: 1, reportTypes: { Move: true } })
  const [report] = reports
  const text = report ? ` for a text that repeats ${JSON.stringify(report.character.pick)}` : ''
  const slow =
    report !== undefined || (REPEATED_GROUP.test(source) && !isSafe(new RegExp(source, flags), OPTIONS).safe)
  return slow ? `${at}: /${source}/${flags} can take more than linear time${text}` : null
}

const HELP = `Checks that no regular expression of the service, the site's scripts and the command line takes longer
than linear time on any text. test/torture/expressions.ts lists the exceptions.

Usage: npm run torture -- expressions
`

const SOURCES = ['src/**/*.ts', 'src/**/*.tsx', 'cli/src/**/*.ts']

export async function expressions(): Promise<void> {
  parseOptions(HELP, {})
  const problems: string[] = []
  const used = new Set<object>()
  let checked = 0
  for await (const path of glob(SOURCES, { cwd: ROOT })) {
    const { known, unknown } = await findPatterns(path, join(ROOT, path))
    checked += known.length
    const found = [
      ...known.flatMap((pattern) => findSlowness(pattern) ?? []),
      ...unknown.map((at) => `${at}: a function creates a regular expression that this check can't know`),
    ]
    const exception = findException(path)
    if (exception && found.length > 0) used.add(exception)
    else problems.push(...found)
  }
  for (const exception of EXCEPTIONS) {
    if (!used.has(exception)) problems.push(`the exception for ${exception.path} is no longer needed`)
  }
  if (problems.length > 0) throw new CommandError(problems.join('\n'))
  process.stdout.write(
    `All ${checked} regular expressions take linear time, except those that this script lists.\n`,
  )
}
