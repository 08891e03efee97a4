import type { Schema } from '@cfworker/json-schema'
import type { JsonSchema, OpenApiDocument } from '../../../src/api/openapi/types.ts'

type Schemas = OpenApiDocument['components']['schemas']

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const getProperties = (schema: JsonSchema) =>
  (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>

/**
 * Returns a copy of a schema in which no object may have further members, unless the schema says so, with references to
 * `$defs`.
 */
export function closeSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeSchema)
  if (!isObject(value)) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeSchema(inner)]))
  if (typeof copy.$ref === 'string') copy.$ref = copy.$ref.replace('#/components/schemas/', '#/$defs/')
  return copy.type === 'object' && 'properties' in copy ? { additionalProperties: false, ...copy } : copy
}

/** Returns a schema that the validator takes, closed and with everything it refers to. */
export const toClosedSchema = (schema: JsonSchema, schemas: Schemas): Schema =>
  ({ ...(closeSchema(schema) as object), $defs: closeSchema(schemas) }) as Schema

/** Calls back with each member that a schema describes and, if an instance is given, that the instance has. */
function walk(
  schema: JsonSchema,
  schemas: Schemas,
  { at, instance, visit }: { at: string; instance?: { value: unknown }; visit: (member: string) => void },
): void {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    walk(schemas[name] ?? {}, schemas, { at: name, ...(instance && { instance }), visit })
  }
  for (const option of (schema.anyOf ?? []) as JsonSchema[])
    walk(option, schemas, { at, ...(instance && { instance }), visit })
  if (schema.items && !Array.isArray(schema.items)) {
    const items = instance
      ? (Array.isArray(instance.value) ? instance.value : []).map((value) => ({ value }))
      : [undefined]
    for (const item of items)
      walk(schema.items as JsonSchema, schemas, { at: `${at}[]`, ...(item && { instance: item }), visit })
  }
  for (const [name, property] of Object.entries(getProperties(schema))) {
    if (instance && !(isObject(instance.value) && name in instance.value)) continue
    const member = `${at}.${name}`
    visit(member)
    const inner = instance && isObject(instance.value) ? { value: instance.value[name] } : undefined
    walk(property, schemas, { at: member, ...(inner && { instance: inner }), visit })
  }
}

/** Returns the members that a schema describes; of those, the ones that an instance has, if one is given. */
export function listMembers(
  schema: JsonSchema,
  schemas: Schemas,
  instance?: { value: unknown },
): Set<string> {
  const members = new Set<string>()
  const visit = (member: string) => {
    members.add(member)
  }
  walk(schema, schemas, { at: '', ...(instance && { instance }), visit })
  return members
}
