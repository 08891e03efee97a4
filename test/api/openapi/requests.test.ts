import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestName } from '../../../src/api/openapi/schemas.ts'
import { claimBody, createBody, editBody, safeParse } from '../../../src/api/schemas.lazy.ts'
import { MAX_EDITORS, MAX_PASSWORD_CHARACTERS, SETTING_NAMES } from '../../../src/shared/settings.ts'
import { DOCUMENT } from './exchanges.ts'
import { toValidatorSchema } from './schema-walk.ts'

const SCHEMAS = { NewDocument: createBody, DocumentChange: editBody, Claim: claimBody } as const

const { schemas } = DOCUMENT.components

const createValidator = (name: RequestName) =>
  new Validator(toValidatorSchema({ $ref: `#/components/schemas/${name}` }, schemas), '2020-12')

/** Validates a body with the document's schema and with the API's. */
function judge(validator: Validator, name: RequestName, body: unknown) {
  const result = safeParse(SCHEMAS[name], body)
  return {
    documented: validator.validate(body).valid,
    accepted: result.success,
    // JSON Schema can't express rules that involve several fields, or that text is well-formed.
    refusedByShape: result.error?.issues.some(({ code }) => code !== 'custom') ?? false,
  }
}

const value = fc.oneof(
  fc.constantFrom(null, true, false, '', 'auto', 'x'.repeat(43), 'x'.repeat(150), 'x'.repeat(250)),
  fc.constant('x'.repeat(MAX_PASSWORD_CHARACTERS + 1)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.constant(Array.from({ length: MAX_EDITORS + 1 }, () => 'ada')),
  fc.constant({}),
)

const settings = fc.dictionary(fc.constantFrom(...SETTING_NAMES, 'infer_settings', 'unknown'), value, {
  maxKeys: 4,
})

const body = fc.record(
  {
    content: value,
    settings: fc.oneof(settings, value),
    infer_settings: value,
    duplicated_from: value,
    id: value,
    password: value,
    token: value,
  },
  { requiredKeys: [] },
)

describe.each(['NewDocument', 'DocumentChange', 'Claim'] as const)('the schema of %s', (name) => {
  const validator = createValidator(name)

  it('accepts every body that the API accepts', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const { documented, accepted } = judge(validator, name, sent)
        expect(documented || !accepted).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('refuses every body whose shape the API refuses', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const { documented, refusedByShape } = judge(validator, name, sent)
        expect(documented && refusedByShape).toBe(false)
      }),
      { numRuns: 100 },
    )
  })
})
