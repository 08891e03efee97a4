import { describe, expect, it } from 'vitest'
import {
  applyReplacements,
  createRedactor,
  describeKinds,
  groupByValue,
  maskValue,
  summarize,
} from '../../../src/shared/scan/redact.ts'
import { scanText } from '../../../src/shared/scan/scan-text.ts'
import { createRandom, KNOWN_SECRETS } from './corpus/shapes.ts'

const random = createRandom(3)
const aws = KNOWN_SECRETS['aws-id']?.(random) ?? ''
const LOG = `93.184.10.5 mara@keller.de key ${aws}
145.20.30.40 jonas@novak.de
93.184.10.5 again, password=Wint3r!2026
`

const redact = (text: string, redactor = createRedactor()): string =>
  applyReplacements(text, redactor(text, scanText(text)))

describe('redaction', () => {
  it('gives the same value the same placeholder', () => {
    expect(redact(LOG)).toBe(`[ip 1] [email 1] key [key 1: AWS]
[ip 2] [email 2]
[ip 1] again, password=[password 1]
`)
  })

  it('leaves nothing to find', () => {
    expect(scanText(redact(LOG))).toEqual([])
  })

  it('keeps placeholders of several texts apart', () => {
    const redactor = createRedactor()
    expect(redact('a 93.184.10.5', redactor)).toBe('a [ip 1]')
    expect(redact('b 145.20.30.40 93.184.10.5', redactor)).toBe('b [ip 2] [ip 1]')
  })

  it('uses no placeholder that the text has already', () => {
    expect(redact('[ip 3] and 93.184.10.5')).toBe('[ip 3] and [ip 4]')
  })
})

describe('what people read about findings', () => {
  const values = groupByValue(LOG, scanText(LOG))

  it('counts each value once', () => {
    expect(values.map(({ findings }) => findings.length)).toEqual([2, 1, 1, 1, 1, 1])
    expect(summarize(values)).toBe('2 secrets, 4 addresses')
    expect(summarize(values.slice(0, 1))).toBe('1 address')
  })

  it('names the kinds', () => {
    expect(describeKinds(values)).toBe('2 IP addresses, 2 email addresses, 1 AWS key, 1 password')
  })

  it('masks values', () => {
    expect(values.map(maskValue)).toEqual([
      '93••••',
      'm••••@keller.de',
      'AKIA••••',
      '145••••',
      'j••••@novak.de',
      'Wi••••',
    ])
  })
})
