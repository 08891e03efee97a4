import type { CleanedWhere } from 'better-auth/adapters'
import type { SqlParameter } from '../../platform/statement.ts'
import { hashSecret } from '../hashing.ts'

/**
 * Where better-auth's models are kept: which table, which column for which field. What is not named
 * here is not kept: addresses and browsers of sessions, refresh tokens, times of updates.
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

/** What better-auth keeps, by its own names. */
export type Fields = Record<string, unknown>

/** The table of a model. Throws for one that is not kept here. */
export function tableOf(model: string): Table {
  if (!Object.hasOwn(TABLES, model))
    throw new Error(`better-auth asks for a table that is not there: ${model}`)
  return TABLES[model as keyof typeof TABLES]
}

/** The column of a field. Throws for one that is not kept here. */
export function columnOf({ table, columns }: Table, field: string): string {
  const column = columns[field]
  if (column === undefined)
    throw new Error(`better-auth asks for a column that is not there: ${table}.${field}`)
  return column
}

const TIMES = new Set(['createdAt', 'expiresAt'])

function toParameter(value: unknown): SqlParameter {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' || typeof value === 'number') return value
  if (value === null || value === undefined) return null
  throw new TypeError(`better-auth gives a value that has no column type: ${typeof value}`)
}

/** Seals what the database must not hold as it is. */
export interface Sealing {
  readonly sealToken: (token: string) => Promise<string>
}

/** What is stored for a value of better-auth. */
export async function toStored(field: string, value: unknown, { sealToken }: Sealing): Promise<SqlParameter> {
  if (field === 'token' && typeof value === 'string') return hashSecret(value)
  if (field === 'accessToken' && typeof value === 'string') return sealToken(value)
  return toParameter(value)
}

/** A row as better-auth knows it. */
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

/** What a WHERE says, and its parameters from ?1 on. Throws where it would find all rows, or is of another kind. */
export async function toCondition(table: Table, where: readonly CleanedWhere[]) {
  const parts: string[] = []
  const parameters: SqlParameter[] = []
  for (const { field, operator, value, connector } of where) {
    if (connector !== 'AND' || operator === undefined || !Object.hasOwn(OPERATORS, operator)) {
      throw new Error(`better-auth asks for a condition that is not there: ${connector} ${operator}`)
    }
    const stored = field === 'token' ? await hashSecret(String(value)) : toParameter(value)
    parameters.push(stored)
    parts.push(
      `${columnOf(table, field)} ${OPERATORS[operator as keyof typeof OPERATORS]} ?${parameters.length}`,
    )
  }
  if (parts.length === 0) throw new Error(`better-auth asks for all rows of ${table.table}`)
  return { condition: parts.join(' AND '), parameters }
}
