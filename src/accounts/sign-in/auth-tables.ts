import type { CleanedWhere } from 'better-auth/adapters'
import type { SqlParameter } from '../../platform/statement.ts'
import { hashSecret } from '../hashing.ts'

/**
 * Maps better-auth's models and fields to tables and columns. Anything not listed isn't stored: IP addresses and user
 * agents of sessions, refresh tokens, update times.
 */
const TABLES = {
  user: {
    table: 'users',
    columns: {
      id: 'id',
      name: 'username',
      email: 'email',
      emailVerified: 'confirmed',
      createdAt: 'created_at',
    },
  },
  session: {
    table: 'sessions',
    columns: {
      id: 'id',
      token: 'token_hash',
      userId: 'user_id',
      createdAt: 'created_at',
      expiresAt: 'expires_at',
    },
  },
  account: {
    table: 'linked_accounts',
    columns: {
      id: 'id',
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      scope: 'scope',
      createdAt: 'created_at',
    },
  },
  verification: {
    table: 'verifications',
    columns: {
      id: 'id',
      identifier: 'identifier',
      value: 'value',
      createdAt: 'created_at',
      expiresAt: 'expires_at',
    },
  },
} as const satisfies Record<string, { table: string; columns: Record<string, string> }>

interface Table {
  readonly table: string
  readonly columns: Readonly<Record<string, string>>
}

/** A record by better-auth's field names. */
export type Fields = Record<string, unknown>

/** Returns the table of a model. Throws for an unknown model. */
export function getTable(model: string): Table {
  if (!Object.hasOwn(TABLES, model)) throw new Error(`No table for better-auth's model: ${model}`)
  return TABLES[model as keyof typeof TABLES]
}

/** Returns the column of a field. Throws for an unknown field. */
export function getColumn({ table, columns }: Table, field: string): string {
  const column = columns[field]
  if (column === undefined) throw new Error(`No column for better-auth's field: ${table}.${field}`)
  return column
}

const TIMES = new Set(['createdAt', 'expiresAt'])

function toParameter(value: unknown): SqlParameter {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' || typeof value === 'number') return value
  if (value === null || value === undefined) return null
  throw new TypeError(`No column type for better-auth's value: ${typeof value}`)
}

/** Encrypts what must not be stored in plain text. */
export interface TokenEncryption {
  readonly encryptToken: (token: string) => Promise<string>
}

/** Converts a value of better-auth to its stored form. */
export async function toStored(
  field: string,
  value: unknown,
  { encryptToken }: TokenEncryption,
): Promise<SqlParameter> {
  if (field === 'token' && typeof value === 'string') return hashSecret(value)
  if (field === 'accessToken' && typeof value === 'string') return encryptToken(value)
  return toParameter(value)
}

/** Converts a row to better-auth's fields. */
export function toFields({ columns }: Table, row: Fields): Fields {
  const fields: Fields = {}
  for (const [field, column] of Object.entries(columns)) {
    const value = row[column]
    if (TIMES.has(field) && typeof value === 'number') fields[field] = new Date(value)
    else fields[field] = field === 'emailVerified' ? value === 1 : value
  }
  return { ...fields, updatedAt: fields.createdAt }
}

const OPERATORS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Converts better-auth's conditions to SQL with parameters from ?1. Throws if there are none, or for an unsupported one. */
export async function toCondition(table: Table, where: readonly CleanedWhere[]) {
  const parts: string[] = []
  const parameters: SqlParameter[] = []
  for (const { field, operator, value, connector } of where) {
    if (connector !== 'AND' || operator === undefined || !Object.hasOwn(OPERATORS, operator)) {
      throw new Error(`Unsupported condition from better-auth: ${connector} ${operator}`)
    }
    const stored = field === 'token' ? await hashSecret(String(value)) : toParameter(value)
    parameters.push(stored)
    parts.push(
      `${getColumn(table, field)} ${OPERATORS[operator as keyof typeof OPERATORS]} ?${parameters.length}`,
    )
  }
  if (parts.length === 0) throw new Error(`better-auth must not ask for all rows of ${table.table}`)
  return { condition: parts.join(' AND '), parameters }
}
