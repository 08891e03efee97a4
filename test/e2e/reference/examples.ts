import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const LANGUAGES = {
  // The test runs on this Node.
  javascript: {
    program: process.execPath,
    getArguments: (code: string) => ['--input-type=module', '--eval', code],
  },
  curl: {
    program: 'bash',
    getArguments: (code: string) => ['-c', code.replace(/^curl /, 'curl --silent --show-error --fail ')],
  },
  python: { program: 'python3', getArguments: (code: string) => ['-c', code] },
} as const

type Language = keyof typeof LANGUAGES

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** The languages that this machine can run: always JavaScript, and the others where their programs are installed. */
export const INSTALLED: readonly Language[] = [
  'javascript',
  ...(isInstalled('bash') && isInstalled('curl') ? (['curl'] as const) : []),
  ...(isInstalled('python3') ? (['python'] as const) : []),
]

/** Runs code and returns what it prints. Throws if it fails. */
export async function runExample(language: Language, code: string): Promise<string> {
  const { program, getArguments } = LANGUAGES[language]
  return (await run(program, getArguments(code))).stdout
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescapeHtml = (html: string): string =>
  html.replace(/&(#39|\w+);/g, (entity, name) => ENTITIES[name] ?? entity)

/** Returns the code of every example on a page, by `NAME-LANGUAGE`. */
export const findExamples = (html: string): ReadonlyMap<string, string> =>
  new Map(
    [...html.matchAll(/<code id="([^"]+)">(.*?)<\/code>/gs)].map(([, id = '', code = '']) => [
      id,
      unescapeHtml(code),
    ]),
  )
