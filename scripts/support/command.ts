import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { outlastRowMemory } from '../../src/documents/recent-documents.ts'
import type { Target } from './bindings.ts'
import { openStorage, type StorageClient } from './database.ts'
import { parseTarget, TARGET_OPTIONS, type TargetValues } from './storage-command.ts'
import { CommandError } from './wrangler.ts'

const COMMON_OPTIONS = {
  ...TARGET_OPTIONS,
  help: { type: 'boolean', default: false },
} as const

/** The help for the options that every command has. */
export const COMMON_HELP = `  --remote             use the deployed service instead of the local one (see "npm run dev")
  --persist-to DIR     use the local service that stores its data in DIR
  --data DIR           use the server on one machine that stores its data in DIR (see "npm start"); without
                       any of these options, the folder that DATA_DIR names in the environment
  --json               print the result as one JSON object
  --help               show this help
`

/** What a command needs from outside, so that tests can run it in their own process. */
export interface CommandContext {
  readonly openStorage: (target: Target) => StorageClient
  readonly print: (text: string) => void
  /** Resolves once no isolate of the server remembers a document as it was before the call. */
  readonly outlastRowMemory: () => Promise<void>
}

const TERMINAL: CommandContext = {
  openStorage,
  print: (text) => process.stdout.write(text),
  outlastRowMemory,
}

/** Parses a command with one operand and the common options. Null after printing its help. */
export function parseOneCommand(help: string, args: readonly string[], context: CommandContext = TERMINAL) {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: COMMON_OPTIONS,
  })
  if (values.help) {
    context.print(help)
    return null
  }
  const target = parseTarget(values)
  return {
    operand: positionals.length === 1 ? positionals[0] : undefined,
    target,
    storage: context.openStorage(target),
    print: (result: object, text: string) =>
      context.print(`${values.json ? JSON.stringify(result) : text}\n`),
  }
}

type ValuesOf<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options & typeof COMMON_OPTIONS; allowPositionals: true }>
>['values']

interface CommandInput<Options extends ParseArgsOptionsConfig> {
  readonly values: ValuesOf<Options>
  readonly storage: StorageClient
  readonly target: Target
  /** Returns the command's one operand. Throws a CommandError if there is none, or more than one. */
  readonly operand: (name: string) => string
  /** Throws a CommandError if there is an operand. */
  readonly noOperands: () => void
  /** Prints the result: as JSON with --json, or else as text. */
  readonly print: (result: object, text: string) => void
  /** Prints the result of hiding documents, as soon as it holds everywhere. */
  readonly printOnceHidden: (result: object, text: string) => Promise<void>
}

interface CommandGroup<Options extends ParseArgsOptionsConfig> {
  /** How npm runs it: `npm run admin -- NAME`. */
  readonly name: string
  readonly help: string
  readonly options: Options
  readonly commands: Readonly<Record<string, (input: CommandInput<Options>) => Promise<void>>>
}

/**
 * Defines a script with several commands, such as `npm run admin -- user add`. The script takes the arguments after
 * its name, and throws a CommandError for arguments that it doesn't know.
 */
export const defineCommands =
  <const Options extends ParseArgsOptionsConfig>({ name, help, options, commands }: CommandGroup<Options>) =>
  async (args: readonly string[], context: CommandContext = TERMINAL): Promise<void> => {
    const seeHelp = `See: npm run admin -- ${name} --help`
    const config = {
      args: [...args],
      allowPositionals: true,
      options: { ...options, ...COMMON_OPTIONS },
    } as const
    const { positionals, values } = parseArgs(config)
    const common: TargetValues & { help?: boolean; json?: boolean } = values
    const [command, ...operands] = positionals
    if (common.help || command === undefined) {
      context.print(help)
      return
    }
    const run = Object.hasOwn(commands, command) ? commands[command] : undefined
    if (run === undefined) throw new CommandError(`Unknown command "${command}". ${seeHelp}`)
    const target = parseTarget(common)
    const print = (result: object, text: string) =>
      context.print(`${common.json ? JSON.stringify(result) : text}\n`)
    await run({
      values,
      target,
      storage: context.openStorage(target),
      operand: (operandName) => {
        const [operand] = operands
        if (operand !== undefined && operands.length === 1) return operand
        throw new CommandError(`"${command}" takes one ${operandName}. ${seeHelp}`)
      },
      noOperands: () => {
        if (operands.length === 0) return
        throw new CommandError(`"${command}" doesn't take "${operands[0]}". ${seeHelp}`)
      },
      print,
      printOnceHidden: async (result, text) => {
        await context.outlastRowMemory()
        print(result, text)
      },
    })
  }
