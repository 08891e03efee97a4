import { execFile, spawn, spawnSync } from 'node:child_process'
import { json } from 'node:stream/consumers'
import { format, promisify } from 'node:util'
import { runInNewContext } from 'node:vm'

export type Outcome = { readonly printed: string } | { readonly error: string }

/** Runs examples by their names. */
type Run = (codes: ReadonlyMap<string, string>) => Promise<ReadonlyMap<string, Outcome>>

const runEach =
  (run: (code: string) => Promise<string>): Run =>
  async (codes) => {
    const outcomes = new Map<string, Outcome>()
    for (const [name, code] of codes) {
      const outcome = await run(code).then(
        (printed) => ({ printed }),
        (error) => ({ error: String(error) }),
      )
      outcomes.set(name, outcome)
    }
    return outcomes
  }

const execute = promisify(execFile)

/** As a user would paste it into a terminal. */
const runCurl = async (code: string): Promise<string> => {
  const line = code.replace(/^curl /, 'curl --silent --show-error --fail ')
  return (await execute('bash', ['-c', line])).stdout
}

/** In this process, because starting Node takes longer than all examples. */
async function runJavaScript(code: string): Promise<string> {
  let printed = ''
  const log = (...values: unknown[]) => {
    printed += `${format(...values)}\n`
  }
  await runInNewContext(`(async () => {\n${code}\n})()`, { fetch, console: { log } })
  return printed
}

/** In one process, because starting Python takes longer than an example. */
const PYTHON = `
import contextlib, io, json, sys, traceback
outcomes = {}
for name, code in json.load(sys.stdin).items():
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(code, name, 'exec'), {'__name__': '__main__'})
            outcomes[name] = {'printed': output.getvalue()}
        except Exception:
            outcomes[name] = {'error': traceback.format_exc()}
json.dump(outcomes, sys.stdout)
`

const runPython: Run = async (codes) => {
  const child = spawn('python3', ['-c', PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(Object.fromEntries(codes)))
  return new Map(Object.entries((await json(child.stdout)) as Record<string, Outcome>))
}

export const RUN = {
  javascript: runEach(runJavaScript),
  curl: runEach(runCurl),
  python: runPython,
} as const

type Language = keyof typeof RUN

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** The languages that this machine can run: always JavaScript, and the others where their programs are installed. */
export const INSTALLED: readonly Language[] = [
  'javascript',
  ...(isInstalled('bash') && isInstalled('curl') ? (['curl'] as const) : []),
  ...(isInstalled('python3') ? (['python'] as const) : []),
]

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
