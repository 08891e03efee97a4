import fc from 'fast-check'
import { CREATE_SETTING_NAMES, FORM_FIELDS, hostileText } from './hostile.ts'
import type { World } from './world.ts'

export interface Body {
  readonly type: string
  readonly text: string
}

/** Usual values of settings, so that several mistakes don't hide each other. */
const settingValue = (world: World) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<unknown>(true, false, null, 'markdown', 'auto', 1, 0, []) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...world.usernames, world.usernames) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>('2099-01-01T00:00:00Z', -1, 1e308, 1e-7, '2020-01-01') },
    { weight: 2, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )

const settings = (world: World) =>
  fc.dictionary(fc.constantFrom(...CREATE_SETTING_NAMES), settingValue(world), { maxKeys: 4 })

/** Changes a few characters of a text, as a mutation fuzzer does. */
export const mutated = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(8), fc.oneof(hostileText, fc.constant('')))
    .map(([at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed))

const content = (world: World) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('hello', '# Title\n\n[x](javascript:y)', '2026-11-22 ERROR x\n'),
    },
    { weight: 3, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(...world.jwes) },
    { weight: 1, arbitrary: fc.constantFrom(...world.jwes).chain(mutated) },
  )

const id = (world: World) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...world.ids) }, hostileText)

const jsonValue = (world: World): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        {
          content: content(world),
          settings: settings(world),
          infer_settings: fc.boolean(),
          duplicated_from: id(world),
        },
        { requiredKeys: ['content'] },
      ),
    },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          id: id(world),
          content: content(world),
          password: fc.constantFrom(...world.passwords),
          settings: settings(world),
        },
        { requiredKeys: ['id'] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ token: fc.constantFrom(...world.claimTokens) }) },
    { weight: 1, arbitrary: fc.record({ token: hostileText }) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
  )

const BROKEN_JSON = [
  '',
  '{',
  '[[[[[[[[',
  '['.repeat(50_000),
  '{"content":"\\ud800"}',
  '\ufeff{}',
  'null',
  '1e999',
]

const json = (world: World): fc.Arbitrary<Body> =>
  fc.record({
    type: fc.constant('application/json'),
    text: fc.oneof(
      { weight: 6, arbitrary: jsonValue(world).map((value) => JSON.stringify(value)) },
      {
        weight: 2,
        arbitrary: jsonValue(world)
          .map((value) => JSON.stringify(value))
          .chain(mutated),
      },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN_JSON) },
    ),
  })

/** A field of a form. A text that isn't a password may be repeated, so passwords aren't among the values. */
const field = (world: World) =>
  fc.tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...FORM_FIELDS) }, hostileText),
    fc.oneof(
      fc.constantFrom('', 'on', '1', 'x', 'create', 'auto', '7', 'demo@example.com'),
      fc.constantFrom(...world.ids, ...world.usernames, ...world.documentTokens),
      hostileText,
    ),
  )

const fields = (world: World) =>
  fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.tuple(fc.constant('password'), fc.constantFrom(...world.passwords)) },
      { weight: 12, arbitrary: field(world) },
    ),
    { maxLength: 8 },
  )

const form = (world: World): fc.Arbitrary<Body> =>
  fields(world)
    .map((pairs) => ({
      type: 'application/x-www-form-urlencoded',
      text: new URLSearchParams(
        pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
      ).toString(),
    }))
    .chain((body) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(body) },
        mutated(body.text).map((text) => ({ ...body, text })),
      ),
    )

const BOUNDARY = 'fuzzer'

const multipart = (world: World): fc.Arbitrary<Body> =>
  fields(world)
    .map((pairs) => {
      const parts = pairs.map(([name, value], index) => {
        const file = index % 3 === 2 ? '; filename="a.txt"\r\nContent-Type: text/plain' : ''
        const disposition = `Content-Disposition: form-data; name="${encodeURIComponent(name.toWellFormed())}"`
        return `--${BOUNDARY}\r\n${disposition}${file}\r\n\r\n${value}\r\n`
      })
      return `${parts.join('')}--${BOUNDARY}--\r\n`
    })
    .chain((text) => fc.oneof({ weight: 4, arbitrary: fc.constant(text) }, mutated(text)))
    .chain((text) =>
      fc
        .constantFrom(`; boundary=${BOUNDARY}`, `; boundary="${BOUNDARY}"`, '', '; boundary=', '; boundary=x')
        .map((parameter) => ({ type: `multipart/form-data${parameter}`, text })),
    )

const other: fc.Arbitrary<Body> = fc.record({
  type: fc.constantFrom(
    'text/plain',
    '',
    'application/octet-stream',
    'application/jose',
    'image/png',
    'x/y; z',
  ),
  text: fc.oneof(hostileText, fc.constant('x'.repeat(300_000))),
})

/** Bodies of every kind, mostly nearly right. */
export const anyBody = (world: World): fc.Arbitrary<Body> =>
  fc.oneof(
    { weight: 5, arbitrary: json(world) },
    { weight: 4, arbitrary: form(world) },
    { weight: 2, arbitrary: multipart(world) },
    { weight: 1, arbitrary: other },
  )
