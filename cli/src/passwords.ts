import { randomInt } from 'node:crypto'
import { ALPHABET, GENERATED_PASSWORD_CHARACTERS } from '../../src/shared/document-ids.ts'
import { MAX_PASSWORD_CHARACTERS } from '../../src/shared/settings.ts'
import { CliError } from './exit-codes.ts'
import type { CommandContext } from './session.ts'
import { askSecret } from './terminal/prompt.ts'
import { readInput } from './terminal/read-input.ts'

export interface ChosenPassword {
  readonly password: string
  /** A generated one is too random to need key stretching. */
  readonly generated: boolean
}

const ADVICE = 'Set REGENT_PASSWORD, or use --password-file'

const MAX_ATTEMPTS = 3

function requireLength(password: string): string {
  if (password.length >= 1 && password.length <= MAX_PASSWORD_CHARACTERS) return password
  throw new CliError('usage', `A password has 1 to ${MAX_PASSWORD_CHARACTERS} characters`)
}

const generatePassword = (): string =>
  Array.from({ length: GENERATED_PASSWORD_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Null if the user has to be asked. */
async function findGivenPassword({ values, terminal }: CommandContext): Promise<string | null> {
  const file = values['password-file']
  if (file === undefined) return terminal.env.REGENT_PASSWORD || null
  const { text } = await readInput(file, terminal)
  return text.split(/\r?\n/, 1)[0] ?? ''
}

async function askNewPassword({ terminal }: CommandContext): Promise<string> {
  const password = requireLength(await askSecret(terminal, 'Password: ', ADVICE))
  if ((await askSecret(terminal, 'Repeat it: ', ADVICE)) !== password) {
    throw new CliError('usage', 'The passwords differ')
  }
  return password
}

/** A given or typed password, or a new one. Null if nobody asked for encryption. */
export async function choosePassword(context: CommandContext): Promise<ChosenPassword | null> {
  const { values } = context
  const types = values['ask-password'] === true
  if (!values.encrypt && !types && values['password-file'] === undefined) return null
  const own = types ? await askNewPassword(context) : await findGivenPassword(context)
  return own === null
    ? { password: generatePassword(), generated: true }
    : { password: requireLength(own), generated: false }
}

const inArguments =
  'Warning: the password in the link is visible to other users of this machine, and stays in your shell’s history. Set REGENT_PASSWORD, or enter it when asked.'

/**
 * Looks for the password in a file, the link and the environment, and else asks.
 *
 * @param linked the password in the link that the user gave.
 */
export function createPasswordSource(context: CommandContext, linked: string | null) {
  const { terminal, output } = context
  if (linked !== null) output.note(inArguments)
  let asks = false
  return async (attempt: number): Promise<string | null> => {
    if (attempt === 1) {
      const given =
        context.values['password-file'] === undefined && linked !== null
          ? linked
          : await findGivenPassword(context)
      if (given !== null) return given
      asks = true
    }
    if (!asks || attempt > MAX_ATTEMPTS) return null
    if (attempt > 1) output.error('The password is wrong.')
    return askSecret(terminal, 'Password: ', `The document is encrypted. ${ADVICE}`)
  }
}
