import { type Finding, type FindingType, isSecret } from './scan-text.ts'

/** The name of each type, for one and for several. */
const NAMES: Readonly<Record<FindingType, readonly [string, string]>> = {
  key: ['key', 'keys'],
  password: ['password', 'passwords'],
  email: ['email address', 'email addresses'],
  ip: ['IP address', 'IP addresses'],
  mac: ['MAC address', 'MAC addresses'],
  user: ['user name', 'user names'],
  phone: ['phone number', 'phone numbers'],
  card: ['card number', 'card numbers'],
}

const isAddress = ({ type }: Pick<Finding, 'type'>): boolean =>
  type === 'email' || type === 'ip' || type === 'mac'

/** A value of a text, and every place where it stands. */
export interface FoundValue {
  readonly type: FindingType
  readonly detail: string | null
  readonly value: string
  readonly findings: readonly Finding[]
}

/** Groups findings by their values: a log often repeats the same address. */
export function groupByValue(text: string, findings: readonly Finding[]): FoundValue[] {
  const groups = new Map<string, FoundValue & { findings: Finding[] }>()
  for (const finding of findings) {
    const { from, to, type, detail } = finding
    const value = text.slice(from, to)
    const key = `${type} ${value}`
    const group = groups.get(key)
    if (group) group.findings.push(finding)
    else groups.set(key, { type, detail, value, findings: [finding] })
  }
  return [...groups.values()]
}

/** @example "key", "IP addresses" */
export const nameType = (type: FindingType, number: number): string => NAMES[type][number === 1 ? 0 : 1]

/** @example "AWS key", "password", "private key" */
export const nameValue = ({ type, detail }: Pick<FoundValue, 'type' | 'detail'>): string => {
  const [name] = NAMES[type]
  if (detail === null) return name
  return detail === 'private key' ? detail : `${detail} ${name}`
}

const count = (number: number, [one, several]: readonly [string, string]): string =>
  `${number} ${number === 1 ? one : several}`

type Typed = Pick<FoundValue, 'type'>

/** @example "2 secrets, 14 addresses" */
export function summarize(values: readonly Typed[]): string {
  const secrets = values.filter(isSecret).length
  const addresses = values.filter(isAddress).length
  const others = values.length - secrets - addresses
  return [
    secrets > 0 && count(secrets, ['secret', 'secrets']),
    addresses > 0 && count(addresses, ['address', 'addresses']),
    others > 0 && count(others, ['personal detail', 'personal details']),
  ]
    .filter(Boolean)
    .join(', ')
}

/** @example "2 AWS keys, 1 password, 3 IP addresses" */
export function describeKinds(values: readonly Pick<FoundValue, 'type' | 'detail'>[]): string {
  const numbers = new Map<string, { number: number; names: readonly [string, string] }>()
  for (const value of values) {
    const name = nameValue(value)
    const [one, several] = NAMES[value.type]
    const known = numbers.get(name)
    if (known) known.number++
    else numbers.set(name, { number: 1, names: [name, name.slice(0, -one.length) + several] })
  }
  return [...numbers.values()].map(({ number, names }) => count(number, names)).join(', ')
}

const MAX_SHOWN = 4

/** Shows enough of a value to recognize it. */
export function maskValue({ type, detail, value }: Pick<FoundValue, 'type' | 'detail' | 'value'>): string {
  if (detail === 'private key') return value.split('\n', 1)[0]?.slice(0, 40) ?? ''
  const [shown, rest] =
    type === 'email'
      ? [value.slice(0, 1), value.slice(value.indexOf('@'))]
      : [value.slice(0, Math.min(MAX_SHOWN, Math.floor(value.length / 4))), '']
  return `${shown}••••${rest}`
}

/** A change of a text, as code editors take it. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The start of placeholders such as `[ip 1]` and `[key 2: AWS]`. */
const PLACEHOLDER = /\[(key|password|email|ip|mac|user|phone|card) (\d{1,7})[\]:]/g

/** Remembers which value got which placeholder, so that the same value always gets the same one. */
export function createRedactor() {
  const numbers = new Map<string, number>()
  const used = new Map<string, number>()
  const name = (value: string, { type, detail }: Finding): string => {
    const key = `${type} ${value}`
    let number = numbers.get(key)
    if (number === undefined) {
      number = (used.get(type) ?? 0) + 1
      used.set(type, number)
      numbers.set(key, number)
    }
    return `[${type} ${number}${detail === null ? '' : `: ${detail}`}]`
  }
  /** @param findings in the order of the text. */
  return (text: string, findings: readonly Finding[]): Replacement[] => {
    // Another text, or somebody by hand, may have used some already.
    for (const [, type = '', number] of text.matchAll(PLACEHOLDER))
      used.set(type, Math.max(used.get(type) ?? 0, Number(number)))
    return findings.map((finding) => {
      const { from, to } = finding
      return { from, to, insert: name(text.slice(from, to), finding) }
    })
  }
}

/** @param replacements in the order of the text. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let end = 0
  const parts: string[] = []
  for (const { from, to, insert } of replacements) {
    parts.push(text.slice(end, from), insert)
    end = to
  }
  return parts.join('') + text.slice(end)
}
