import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { addUser } from './accounts.ts'
import { applySchema, execute, SQL, type Target } from './database.ts'
import { CommandError, ROOT, runScript, startWrangler } from './wrangler.ts'

const HELP = `Runs the service on this machine, with a local database.

Usage: npm run dev -- [options]

  --port N             listen on another port than 8787
  --persist-to DIR     keep the database in another folder than .wrangler/state
  …                    any other option of "wrangler dev"

The first start makes a confirmed account "demo" and prints its API key.
`

const HOST = '127.0.0.1'
const DEMO = { username: 'demo', email: 'demo@example.com', confirmed: true }
const READY_WITHIN_MS = 60_000

async function requireFreePort(port: number): Promise<void> {
  await new Promise<void>((done, fail) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is taken' : `can not be used (${error.code})`
      fail(new CommandError(`Port ${port} ${reason}. Choose another: npm run dev -- --port N`))
    })
    server.listen(port, HOST, () => server.close(() => done()))
  })
}

async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(
      `Can not write to ${folder} (${code}). Choose another: npm run dev -- --persist-to DIR`,
    )
  }
}

/**
 * The secret that sessions are signed with, kept beside the database: who is signed in stays so from one
 * start to the next.
 */
async function ownSecret(folder: string): Promise<string> {
  const file = join(folder, 'auth-secret')
  const present = await readFile(file, 'utf8').catch(() => null)
  if (present !== null) return present
  const secret = randomBytes(32).toString('base64url')
  await writeFile(file, secret, { mode: 0o600, flag: 'wx' })
  return secret
}

/** The vars that a local service has beside those of `wrangler.toml`, unless `.dev.vars` or an option says otherwise. */
async function localVars(folder: string, options: readonly string[]): Promise<string[]> {
  const written = (await readFile(join(ROOT, '.dev.vars'), 'utf8').catch(() => '')) + options.join('\n')
  const vars = { AUTH_SECRET: await ownSecret(folder), MAIL_FROM: 'terminal' }
  return Object.entries(vars).flatMap(([name, value]) =>
    new RegExp(`${name}\\s*[=:]\\s*\\S`).test(written) ? [] : ['--var', `${name}:${value}`],
  )
}

interface Demo {
  /** Known at the first start only. */
  readonly key: string | null
  /** A document to try reading with, if there is one. */
  readonly documentId: string | null
}

async function prepareDatabase(target: Target): Promise<Demo> {
  await applySchema(target)
  const [users, documents] = await execute(
    target,
    SQL`SELECT id FROM users WHERE username = ${DEMO.username};
      SELECT d.id FROM documents d JOIN users u ON u.id = d.creator_id
        WHERE u.username = ${DEMO.username} AND d.expires_at > ${Date.now()}
          AND d.encrypted = 0 AND d.instant_delete = 0
        ORDER BY d.created_at LIMIT 1;`,
  )
  const key = users?.length ? null : (await addUser(target, DEMO)).key
  return { key, documentId: documents?.[0] ? String(documents[0].id) : null }
}

/** Waits for the service to answer, and stops waiting when it ends instead. */
async function untilReady(base: string, ended: () => boolean): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (!ended() && Date.now() < deadline) {
    const answer = await fetch(`${base}/v1`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (answer?.ok) return true
    await new Promise((wait) => setTimeout(wait, 100))
  }
  return false
}

async function createDocument(base: string, key: string | null): Promise<string> {
  const body = JSON.stringify({
    content: 'Hello from Regent.\n',
    ...(key !== null && { settings: { expiration: null } }),
  })
  const headers = { 'Content-Type': 'application/json', ...(key !== null && { Authorization: key }) }
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`${base}/v1/document`, { method: 'POST', headers, body })
      const { data } = (await response.json()) as { data: { id: string } }
      return data.id
    } catch (error) {
      // When a file changes just now, wrangler begins anew and drops what is under way.
      if (attempt === 5) throw error
      await new Promise((wait) => setTimeout(wait, 500))
    }
  }
}

function welcome(base: string, key: string | null, documentId: string): string {
  const authorization = key === null ? '' : ` -H 'Authorization: ${key}'`
  const settings = key === null ? '' : ', "settings": {"language": "markdown"}'
  const keyLine =
    key === null
      ? 'API key    shown at the first start; another: npm run user -- key demo'
      : `API key    ${key}   (account "demo", shown this once)`
  return `
Regent is at ${base}

${keyLine}
Sign in    ${base}/sign-in as ${DEMO.email}, or as anybody: the mail with the link is printed here

Create a document, read one, read its text alone:

curl -s ${base}/v1/document -H 'Content-Type: application/json'${authorization} -d '{"content": "# Hello"${settings}}'
curl -s ${base}/v1/document/${documentId}
curl -s ${base}/r/${documentId}

Ctrl+C stops it. What was stored stays.
`
}

async function main(): Promise<void> {
  const { values, tokens } = parseArgs({
    strict: false,
    tokens: true,
    options: { port: { type: 'string' }, 'persist-to': { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const known = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && ['port', 'persist-to'].includes(token.name)
        ? token.inlineValue
          ? [token.index]
          : [token.index, token.index + 1]
        : [],
    ),
  )
  const others = process.argv.slice(2).filter((_, index) => !known.has(index))
  const port = Number(values.port ?? 8787)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CommandError(`This is no port: ${values.port}`)
  }
  const folder = resolve(String(values['persist-to'] ?? join(ROOT, '.wrangler/state')))
  await requireFreePort(port)
  await requireWritable(folder)
  const { key, documentId } = await prepareDatabase({ remote: false, persistTo: folder })

  const server = startWrangler(
    [
      'dev',
      '--ip',
      HOST,
      '--port',
      String(port),
      '--persist-to',
      folder,
      ...(await localVars(folder, others)),
      ...others,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  let ended = false
  server.once('exit', (code) => {
    ended = true
    process.exitCode = code ?? 0
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))

  const base = `http://${HOST}:${port}`
  if (!(await untilReady(base, () => ended))) {
    server.kill('SIGTERM')
    throw new CommandError('The service did not start; what wrangler said stands above.')
  }
  process.stdout.write(welcome(base, key, documentId ?? (await createDocument(base, key))))
}

await runScript(main)
