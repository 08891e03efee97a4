import {
  applyReplacements,
  createRedactor,
  describeKinds,
  groupByValue,
  type Redactor,
} from '../../src/shared/scan/redact.ts'
import { isSecret, scanText } from '../../src/shared/scan/scan-text.ts'
import type { TextFile } from '../../src/shared/txtar.ts'
import { CliError } from './exit-codes.ts'
import { joinInputs } from './files.ts'
import type { CommandContext } from './session.ts'
import type { Input } from './terminal.ts'

/**
 * Names the secrets in a text, such as "1 AWS key, 2 passwords", without their values. Returns null if none is found.
 * Agents that share a text ask for this first.
 */
export function describeSecrets(text: string): string | null {
  const values = groupByValue(text, scanText(text)).filter(isSecret)
  return values.length === 0 ? null : describeKinds(values)
}

const REDACTIONS = ['secrets', 'all'] as const
const SCANS = ['off', 'warn', 'fail'] as const

type Redaction = (typeof REDACTIONS)[number]

function requireChoice<Choice extends string>(
  choices: readonly Choice[],
  given: string,
  name: string,
): Choice {
  const choice = choices.find((one) => one === given)
  if (choice === undefined) throw new CliError('usage', `${name} is one of ${choices.join(', ')}`)
  return choice
}

function redactText(text: string, redaction: Redaction, redactor: Redactor): string {
  const findings = scanText(text).filter((finding) => redaction === 'all' || isSecret(finding))
  return applyReplacements(text, redactor(text, findings))
}

/** Redacts each of several files by itself, so that their names stay as they are. */
function redactInput(input: Input, redact: (text: string) => string): Input {
  if (input.files)
    return joinInputs(input.files.map((file): TextFile => ({ ...file, content: redact(file.content) })))
  const text = redact(input.text)
  return { ...input, text, size: Buffer.byteLength(text) }
}

const ADVICE = 'Replace them with --redact, encrypt with --encrypt, or send them with --no-scan'

/**
 * Looks for secrets and personal details before anything is sent, and replaces them if the user asked for it.
 *
 * @param isEncrypted true if the texts are encrypted on this machine, so that only who gets the password reads them.
 * @throws CliError `secrets` if REGENT_SCAN is `fail` and there are secrets.
 */
export function scanInputs(
  { output, terminal, values }: CommandContext,
  inputs: readonly Input[],
  { isEncrypted }: { readonly isEncrypted: boolean },
): readonly Input[] {
  const scan = requireChoice(SCANS, terminal.env.REGENT_SCAN || 'warn', 'REGENT_SCAN')
  if (values.redact !== undefined) {
    const redaction = requireChoice(REDACTIONS, values.redact, '--redact')
    const redactor = createRedactor()
    return inputs.map((input) => redactInput(input, (text) => redactText(text, redaction, redactor)))
  }
  if (values['no-scan'] || scan === 'off' || isEncrypted) return inputs
  const found = inputs.flatMap(({ text }) => groupByValue(text, scanText(text)))
  if (found.length === 0) return inputs
  if (scan === 'fail' && found.some(isSecret))
    throw new CliError(
      'secrets',
      `Nothing was sent: found ${describeKinds(found.filter(isSecret))}. ${ADVICE}`,
    )
  output.note(
    `Found ${describeKinds(found)}. To replace them, use --redact${found.every(isSecret) ? '' : '=all'}.`,
  )
  return inputs
}
