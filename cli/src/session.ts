import { RegentClient } from './client/client.ts'
import { CliError } from './exit-codes.ts'
import type { Arguments } from './parse-arguments.ts'
import { type Config, readConfig } from './storage/config.ts'
import { isUnprotected, parseServer } from './targets.ts'
import type { Output } from './terminal/output.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface CommandContext extends Arguments {
  readonly terminal: Terminal
  readonly output: Output
}

export interface Session {
  readonly server: string
  readonly key: string | null
  readonly client: RegentClient
}

export function findServer({ values, terminal: { env } }: CommandContext, config: Config): string | null {
  const chosen = values.server ?? (env.REGENT_URL || null) ?? config.server
  return chosen === null ? null : parseServer(chosen)
}

const NO_SERVER =
  'Which server? Choose one with "regent server URL" or "regent login URL", or set --server or REGENT_URL'

/** REGENT_KEY is for the chosen server only, not for another one in a link. */
const findKey = (
  { terminal: { env } }: CommandContext,
  config: Config,
  server: string,
  chosen: string | null,
) => (server === chosen && env.REGENT_KEY) || config.keys[server] || null

/** Tells the user when it waits for a busy server. */
export const createClient = ({ output }: CommandContext, server: string, key: string | null): RegentClient =>
  new RegentClient({
    server,
    key,
    onRetry: ({ seconds, error }) =>
      output.note(
        `${error.code === 'rate_limited' ? 'Too many requests' : 'The server is busy'}. Trying again in ${seconds} s…`,
      ),
  })

/**
 * @param linked the server of a link that the user gave, which comes first.
 * @throws CliError `usage` if no server was chosen.
 */
export async function openSession(context: CommandContext, linked: string | null = null): Promise<Session> {
  const config = await readConfig(context.terminal)
  const chosen = findServer(context, config)
  const server = linked ?? chosen
  if (server === null) throw new CliError('usage', NO_SERVER)
  const key = findKey(context, config, server, chosen)
  if (key !== null && isUnprotected(server)) {
    context.output.note(`Warning: ${server} doesn’t use HTTPS. Others on the network can read your API key.`)
  }
  return { server, key, client: createClient(context, server, key) }
}
