import { getProperties } from './schemas.ts'
import type { JsonSchema } from './types.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Returns an example value for a schema, built from the examples of its parts. */
export function createExample(schema: JsonSchema, schemas: Schemas): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return createExample(requireSchema(schemas, name), schemas)
  }
  if (schema.anyOf?.[0]) return createExample(schema.anyOf[0] as JsonSchema, schemas)
  if (schema.type === 'array') return [createExample(schema.items as JsonSchema, schemas)]
  if (schema.type === 'object') {
    return Object.fromEntries(
      Object.entries(getProperties(schema)).map(([name, property]) => [
        name,
        createExample(property, schemas),
      ]),
    )
  }
  throw new Error(`no example for ${JSON.stringify(schema)}`)
}

function requireSchema(schemas: Schemas, name: string): JsonSchema {
  const schema = schemas[name]
  if (!schema) throw new Error(`no schema ${name}`)
  return schema
}
