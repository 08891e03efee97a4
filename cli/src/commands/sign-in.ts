import { RegentError } from '../client/errors.ts'
import { CliError } from '../exit-codes.ts'
import { type CommandContext, createClient, findServer, isUnprotected, parseServer } from '../session.ts'
import { getConfigFile, readConfig, updateConfig } from '../storage.ts'
import { askSecret, openInBrowser, readInput, STDIN } from '../terminal.ts'

const getKeysPage = (server: string): string => `${server}/account#keys`

async function requireServer(context: CommandContext): Promise<string> {
  const [typed] = context.operands
  if (typed !== undefined) return parseServer(typed)
  const server = findServer(context, await readConfig(context.terminal))
  if (server !== null) return server
  throw new CliError('usage', 'Which server? Use "regent login URL"')
}

async function openKeysPage({ output, terminal }: CommandContext, server: string): Promise<void> {
  const page = getKeysPage(server)
  const opened = await openInBrowser(terminal, page)
  output.note(opened ? `Opening ${page}…` : `Can’t start a browser. Open ${page}`)
}

async function readKey(context: CommandContext, server: string): Promise<string> {
  const { output, terminal, values } = context
  if (!terminal.stdin.isTTY) return (await readInput(STDIN, terminal)).text.trim()
  if (values.browser) await openKeysPage(context, server)
  else output.note(`Create an API key at ${getKeysPage(server)}, or press Enter to open that page.`)
  const ask = async () => (await askSecret(terminal, 'API key: ', 'Pipe the key in')).trim()
  const key = await ask()
  if (key !== '') return key
  await openKeysPage(context, server)
  return ask()
}

export async function login(context: CommandContext): Promise<void> {
  const { output, terminal, values } = context
  const server = await requireServer(context)
  if (isUnprotected(server)) {
    output.note(`Warning: ${server} doesn’t use HTTPS. Others on the network can read your API key.`)
  }
  const key = await readKey(context, server)
  // Anything else can't be a header.
  if (!/^[!-~]+$/.test(key)) throw new CliError('usage', 'That isn’t an API key. Keys start with "imperial_"')
  const client = createClient(context, server, key)
  const { signal } = terminal
  const account = await client.getAccount({ signal }).catch((error) => {
    if (!(error instanceof RegentError) || error.code !== 'unauthorized') throw error
    throw new CliError('refused', `${server} doesn’t know this API key. Nothing was saved`)
  })
  // Servers of earlier releases have no name of their own.
  const { name = 'Regent' } = await client.greet({ signal })
  await updateConfig(terminal, ({ keys }) => ({ server, keys: { ...keys, [server]: key } }))
  const { username, confirmed } = account
  if (values.json) await output.print(`${JSON.stringify({ server, username, confirmed })}\n`)
  output.note(`Signed in to ${name}, ${server}, as ${username}. The key is in ${getConfigFile(terminal)}.`)
  if (!confirmed) output.note('Confirm your email address before you use settings such as --burn.')
}

export async function logout(context: CommandContext): Promise<void> {
  const { output, terminal } = context
  const config = await readConfig(terminal)
  const server = await requireServer(context)
  if (config.keys[server] === undefined) {
    output.note(`You aren’t signed in to ${server}.`)
    return
  }
  await updateConfig(terminal, ({ keys: { [server]: _, ...keys }, ...rest }) => ({ ...rest, keys }))
  output.note(`Deleted the API key from this machine. To revoke it, go to ${getKeysPage(server)}.`)
}

export async function chooseServer(context: CommandContext): Promise<void> {
  const { operands, output, terminal } = context
  const [typed] = operands
  if (typed === undefined) return output.print(`${await requireServer(context)}\n`)
  const server = parseServer(typed)
  await updateConfig(terminal, (config) => ({ ...config, server }))
  output.note(`Using ${server} from now on.`)
}
