import { execFile, spawn, spawnSync } from 'node:child_process'
import { json } from 'node:stream/consumers'
import { format, promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { deriveClaimToken, parseJwe } from '../../../src/shared/jwe.ts'
import { addAccount } from '../support/accounts.ts'
import { createDocument } from '../support/documents.ts'
import { openTestSite } from '../support/test-site.ts'

type Outcome = { readonly printed: string } | { readonly error: string }

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

const RUN = {
  javascript: runEach(runJavaScript),
  curl: runEach(runCurl),
  python: runPython,
} as const

type Language = keyof typeof RUN

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** The languages that this machine can run: always JavaScript, and the others where their programs are installed. */
const INSTALLED: readonly Language[] = [
  'javascript',
  ...(isInstalled('bash') && isInstalled('curl') ? (['curl'] as const) : []),
  ...(isInstalled('python3') ? (['python'] as const) : []),
]

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescapeHtml = (html: string): string =>
  html.replace(/&(#39|\w+);/g, (entity, name) => ENTITIES[name] ?? entity)

/** Returns the code of every example on a page, by `NAME-LANGUAGE`. */
const findExamples = (html: string): ReadonlyMap<string, string> =>
  new Map(
    [...html.matchAll(/<code id="([^"]+)">(.*?)<\/code>/gs)].map(([, id = '', code = '']) => [
      id,
      unescapeHtml(code),
    ]),
  )

const site = await openTestSite()
const { base, env } = site.service

const USERNAME = 'reference-reader'
const PASSWORD = 'correct horse battery staple'

const examples = findExamples(await (await fetch(`${base}/docs`)).text())

/** The values for the placeholders of an example. */
type Values = Readonly<Record<string, string>>

/** Returns a new key of the account, because some examples replace the key that they use. */
const withKey = async () => {
  const { key } = await addAccount(env, USERNAME)
  return { YOUR_API_KEY: key, YOUR_USERNAME: USERNAME, YOUR_SEARCH: USERNAME.slice(0, 12) }
}

const withOwnDocument = async (settings: object = {}) => {
  const values = await withKey()
  const { id } = await createDocument(site.service, values.YOUR_API_KEY, '# a log', settings)
  return { ...values, YOUR_DOCUMENT_ID: id, YOUR_PASSWORD: PASSWORD }
}

const withAnonymousDocument = async (): Promise<Values> => {
  const response = await fetch(`${base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'Hello' }),
  })
  const { data } = (await response.json()) as { data: { id: string } }
  return { YOUR_DOCUMENT_TOKEN: response.headers.get('X-Document-Token') ?? '', YOUR_DOCUMENT_ID: data.id }
}

const withClaim = async (): Promise<Values> => {
  const { id, content } = await site.createEncrypted('secret', PASSWORD, { instant_delete: true })
  return {
    YOUR_DOCUMENT_ID: id,
    YOUR_CLAIM_TOKEN: await deriveClaimToken(PASSWORD, parseJwe(content).header),
  }
}

/** Prepares each example, and checks its output. */
const CASES: Readonly<Record<string, readonly [prepare: () => Promise<Values>, printed: RegExp]>> = {
  create: [async () => ({}), /http:\S+\/\w{8}.*regent_doc_|regent_doc_.*"formatted":"http/s],
  'create-settings': [withKey, /markdown/],
  'create-encrypted': [withKey, /password['"]?: ?['"]\w{24}/],
  edit: [withOwnDocument, /Hello again/],
  'edit-anonymous': [withAnonymousDocument, /Hello again/],
  read: [withOwnDocument, /# a log/],
  'read-encrypted': [() => withOwnDocument({ encrypted: true, password: PASSWORD }), /# a log/],
  check: [withOwnDocument, /\b200\b/],
  delete: [withOwnDocument, /\b204\b/],
  'delete-anonymous': [withAnonymousDocument, /\b204\b/],
  'claim-header': [withClaim, /header['"]?: ?['"]eyJ/],
  claim: [withClaim, /content['"]?: ?\s*['"]eyJ/],
  'list-revisions': [withOwnDocument, /reference-reader/],
  'read-revision': [withOwnDocument, /# a log/],
  'restore-revision': [withOwnDocument, /# a log/],
  'delete-revisions': [withOwnDocument, /\b204\b/],
  me: [withKey, /reference-reader@example\.org/],
  recent: [withOwnDocument, /a log/],
  list: [withOwnDocument, /a log/],
  'replace-key': [withKey, /imperial_\w{40}/],
  'search-users': [withKey, /reference-reader/],
  profile: [withKey, /reference-reader/],
  public: [async () => ({}), /documents/],
  greet: [async () => ({}), /Welcome to Regent/],
}

describe('the examples of the reference', () => {
  it('are all tested below, in every language', () => {
    const names = Object.keys(CASES).flatMap((name) =>
      ['curl', 'javascript', 'python'].map((language) => `${name}-${language}`),
    )
    // The first one is a command of curl, which test/e2e/examples runs.
    expect([...examples.keys()].sort()).toEqual([...names, 'share'].sort())
    expect(INSTALLED).toContain('javascript')
  })

  it('contain only the address of this server', () => {
    for (const [name, code] of examples) {
      const origins = new Set(code.match(/https?:\/\/[^/'"\s]+/g))
      expect({ name, origins: [...origins] }).toEqual({ name, origins: [base] })
    }
  })

  describe.each(INSTALLED)('in %s', (language) => {
    let outcomes: ReadonlyMap<string, Outcome>

    beforeAll(async () => {
      const filled = Object.entries(CASES).map(async ([name, [prepare]]) => {
        const example = examples.get(`${name}-${language}`) ?? ''
        const code = Object.entries(await prepare()).reduce(
          (text, [placeholder, value]) => text.replaceAll(placeholder, value),
          example,
        )
        return [name, code] as const
      })
      const codes = new Map(await Promise.all(filled))
      for (const code of codes.values()) expect(code).not.toContain('YOUR_')
      outcomes = await RUN[language](codes)
    })

    it.each(Object.entries(CASES))('%s works', (name, [, printed]) => {
      expect(outcomes.get(name)).toEqual({ printed: expect.stringMatching(printed) })
    })
  })
})
