import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

export { CommandError }

export const ROOT = fileURLToPath(new URL('../..', import.meta.url).href)

/** Returns the path from a folder with slashes, as in addresses and in names of modules, on every system. */
export const relativePath = (folder: string, path: string): string =>
  relative(folder, path).replaceAll(sep, '/')

/** Ends a command that prints its help instead. */
class HelpRequest extends Error {}

/** Parses the options of a command, which all have --help beside their own. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
  args: readonly string[] = process.argv.slice(2),
) {
  if (args.includes('--help')) throw new HelpRequest(help)
  return parseArgs({ args: [...args], options }).values
}

/** Runs a command and returns its exit code. A CommandError prints one line, and so does a file that can't be used. */
export async function runCommand(
  command: () => Promise<void>,
  printError: (text: string) => void,
): Promise<number> {
  try {
    await command()
    return 0
  } catch (error) {
    if (error instanceof HelpRequest) {
      process.stdout.write(error.message)
      return 0
    }
    const missing = findMissingPackage(error)
    if (missing !== null)
      printError(
        `This needs the package ${missing}, which npm ci installs. Only commands with --data DIR do without it.\n`,
      )
    else if (error instanceof CommandError || isUsageError(error)) printError(`${error.message}\n`)
    else if (isSystemError(error)) printError(`${describeSystemError(error)}\n`)
    else throw error
    return 1
  }
}

/** Runs a script's main function. A CommandError prints one line and sets exit code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  const code = await runCommand(main, (text) => process.stderr.write(text))
  if (code !== 0) process.exitCode = code
}

/**
 * Runs the command that the first argument names. The command gets the arguments after the name.
 *
 * @param script how npm runs it, for messages.
 */
export async function runNamed(
  script: string,
  commands: Readonly<Record<string, (args: string[]) => Promise<void>>>,
): Promise<void> {
  const [name = ''] = process.argv.splice(2, 1)
  await runScript(async () => {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command) return command(process.argv.slice(2))
    const names = Object.keys(commands).join(', ')
    if (name !== '' && name !== '--help')
      throw new CommandError(`Unknown name "${name}". Choose one of: ${names}.`)
    process.stdout.write(
      `Usage: npm run ${script} -- NAME [options]\n\nNAME is one of: ${names}. Each has --help.\n`,
    )
  })
}

/** Returns the name of a package that couldn't be loaded, as after `npm ci --omit=dev`. */
const findMissingPackage = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    ? (/^Cannot find package '([^']+)'/.exec(error.message)?.[1] ?? null)
    : null

/** Recognizes what `util.parseArgs` throws for unknown or incomplete options. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** Recognizes what Node throws if the operating system refuses something, such as to open a file. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

function describeSystemError({ code, path, message }: NodeJS.ErrnoException): string {
  const reason = /^\w+: ([^,]+)/.exec(message)?.[1]
  return path && reason ? `${path}: ${reason} (${code})` : message
}
