import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../../server/build.ts'
import { readSettings } from '../../../server/settings.ts'
import { type RunningServer, startServer } from '../../../server/start.ts'
import { generateApiKey, generateKeyId } from '../../../src/accounts/key-format.ts'
import { hashSecret } from '../../../src/shared/hashing.ts'

export const createFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'regent-server-'))

type Environment = Readonly<Record<string, string | undefined>>

/** Everyone has the same address in tests, and nobody reads the log. */
const QUIET: Environment = { RATE_LIMITS: 'off', LOG_REQUESTS: 'none' }

/**
 * Starts a server in this process, on a port that is free. Its folder is deleted when it stops, unless it's given. Its
 * jobs run only if a test asks for that.
 */
export async function startTestServer(
  environment: Environment = {},
  folder: string | null = null,
  { runsJobs = false } = {},
): Promise<RunningServer & AsyncDisposable> {
  await ensureBuilt(() => {})
  const data = folder ?? (await createFolder())
  const args = ['--port', '0', '--data', data]
  const settings = readSettings(args, { ...QUIET, ...environment })
  const server = await startServer({ ...settings, ...(!runsJobs && { crons: [] }) })
  const stop = async () => {
    await server.stop()
    if (folder === null) await rm(data, { recursive: true, force: true })
  }
  return { ...server, stop, [Symbol.asyncDispose]: stop }
}

/** Creates an account and returns its API key. The account's id is its username. */
export async function createAccount(
  { DB }: Env,
  username: string,
  { confirmed = true }: { confirmed?: boolean } = {},
): Promise<string> {
  const key = generateApiKey()
  await DB.batch([
    DB.prepare(
      `INSERT INTO users (id, username, email, confirmed, created_at) VALUES (?1, ?1, ?1 || '@example.org', ?2, 0)`,
    ).bind(username, Number(confirmed)),
    DB.prepare(
      "INSERT INTO api_keys (key_hash, id, user_id, name, created_at) VALUES (?1, ?2, ?3, '', 0)",
    ).bind(await hashSecret(key), generateKeyId(), username),
  ])
  return key
}
