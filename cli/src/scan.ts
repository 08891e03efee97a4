import {
  applyReplacements,
  createRedactor,
  describeKinds,
  groupByValue,
} from '../../src/shared/scan/redact.ts'
import { type Finding, isSecret, scanText } from '../../src/shared/scan/scan-text.ts'
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

function requireChoice<Choice extends string>(
  choices: readonly Choice[],
  given: string,
  name: string,
): Choice {
  const choice = choices.find((one) => one === given)
  if (choice === undefined) throw new CliError('usage', `${name} is one of ${choices.join(', ')}`)
  return choice
}

type SentText = Pick<Input, 'text' | 'files'>

/** Finds only what the text before doesn't have: whoever reads the document knows the rest. */
function createScan(before: string | undefined): (text: string) => Finding[] {
  if (before === undefined) return scanText
  const getValue = (text: string, { type, from, to }: Finding) => `${type} ${text.slice(from, to)}`
  const known = new Set(scanText(before).map((finding) => getValue(before, finding)))
  return (text) => scanText(text).filter((finding) => !known.has(getValue(text, finding)))
}

/** Redacts each of several files by itself, and its name, so that each stays a file. */
function redactInput<Text extends SentText>(input: Text, redact: (text: string) => string): Text {
  if (input.files) {
    const files = input.files.map(
      (file): TextFile => ({ ...file, name: redact(file.name), content: redact(file.content) }),
    )
    const { text, size } = joinInputs(files)
    return { ...input, text, size, files }
  }
  const text = redact(input.text)
  return { ...input, text, size: Buffer.byteLength(text) }
}

interface ScanOptions {
  /** True if the texts are encrypted on this machine, so that only who gets the password reads them. */
  readonly isEncrypted: boolean
  /** The text that the new one takes the place of. Only what it doesn't have is looked for. */
  readonly before?: string
}

/**
 * Looks for secrets and personal details before anything is sent, and replaces them if the user asked for it.
 *
 * @throws CliError `secrets` if REGENT_SCAN is `fail` and there are secrets.
 */
export function scanInputs<Text extends SentText>(
  { command, output, terminal, values }: CommandContext,
  inputs: readonly Text[],
  { isEncrypted, before }: ScanOptions,
): readonly Text[] {
  const scan = requireChoice(SCANS, terminal.env.REGENT_SCAN || 'warn', 'REGENT_SCAN')
  if (values.redact !== undefined) {
    const redaction = requireChoice(REDACTIONS, values.redact, '--redact')
    const find = createScan(before)
    const redactor = createRedactor()
    const redact = (text: string) => {
      const findings = find(text).filter((finding) => redaction === 'all' || isSecret(finding))
      return applyReplacements(text, redactor(text, findings))
    }
    return inputs.map((input) => redactInput(input, redact))
  }
  if (values['no-scan'] || scan === 'off' || isEncrypted) return inputs
  const find = createScan(before)
  const found = inputs.flatMap(({ text }) => groupByValue(text, find(text)))
  if (found.length === 0) return inputs
  if (scan === 'fail' && found.some(isSecret)) {
    const encrypt = command === 'create' ? ', encrypt with --encrypt' : ''
    const advice = `Replace them with --redact${encrypt}, or send them with --no-scan`
    throw new CliError(
      'secrets',
      `Nothing was sent: found ${describeKinds(found.filter(isSecret))}. ${advice}`,
    )
  }
  output.note(
    `Found ${describeKinds(found)}. To replace them, use --redact${found.every(isSecret) ? '' : '=all'}.`,
  )
  return inputs
}
