import type { Schema } from '@cfworker/json-schema'
import type { JSONSchema } from 'zod/v4/core'

type JsonSchema = JSONSchema.BaseSchema
export type Schemas = Readonly<Record<string, JsonSchema>>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const getProperties = (schema: JsonSchema) =>
  (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>

/** Returns a copy of a value with every object converted, from the inside out. */
function convertObjects(value: unknown, convert: (object: Record<string, unknown>) => object): unknown {
  if (Array.isArray(value)) return value.map((inner) => convertObjects(inner, convert))
  if (!isObject(value)) return value
  return convert(
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convertObjects(inner, convert)])),
  )
}

const pointToDefinitions = (schema: Record<string, unknown>): Record<string, unknown> =>
  typeof schema.$ref === 'string'
    ? { ...schema, $ref: schema.$ref.replace('#/components/schemas/', '#/$defs/') }
    : schema

/** Returns a schema for the validator, with every schema that it refers to. */
export const toValidatorSchema = (schema: JsonSchema, schemas: Schemas): Schema =>
  convertObjects({ ...schema, $defs: schemas }, pointToDefinitions) as Schema

const close = (schema: Record<string, unknown>): Record<string, unknown> =>
  schema.type === 'object' && 'properties' in schema ? { additionalProperties: false, ...schema } : schema

/** Returns the same schema, but objects may have no other fields unless the schema allows them. */
export const toClosedSchema = (schema: JsonSchema, schemas: Schemas): Schema =>
  convertObjects(toValidatorSchema(schema, schemas), close) as Schema

/** Calls back for each field that a schema describes, and, if there is an instance, only for the fields that it has. */
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

/** Returns the fields that a schema describes, or only the ones that the given instance has. */
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
