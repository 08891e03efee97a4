import type { JSONSchema } from 'zod/v4/core'

// The part of OpenAPI 3.1 (spec.openapis.org/oas/v3.1.1) that Regent's document uses.

export type JsonSchema = JSONSchema.BaseSchema

interface Reference {
  readonly $ref: string
}

export interface Example {
  readonly summary: string
  readonly value: unknown
}

interface MediaType {
  readonly schema: JsonSchema
  readonly examples?: Readonly<Record<string, Example>>
}

type Content = Readonly<Record<'application/json', MediaType>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly SecurityRequirement[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly description: string; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export const METHODS = ['get', 'head', 'post', 'patch', 'delete'] as const

export type Method = (typeof METHODS)[number]

export type PathItem = { readonly [Name in Method]?: OperationObject }

export interface SecurityScheme {
  readonly type: 'apiKey' | 'http'
  readonly description: string
  readonly name?: string
  readonly in?: 'header'
  readonly scheme?: 'bearer'
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly jsonSchemaDialect: string
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly SecurityRequirement[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, Header>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}
