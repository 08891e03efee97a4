import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { APIError } from 'better-auth/api'
import type { Database } from '../../platform/database.ts'
import { hashSecret } from '../../shared/hashing.ts'
import type { SqlParameter } from '../../shared/statement.ts'

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
type Fields = Record<string, unknown>

/** Returns the table of a model. Throws for an unknown model. */
function getTable(model: string): Table {
  if (!Object.hasOwn(TABLES, model)) throw new Error(`No table for better-auth's model: ${model}`)
  return TABLES[model as keyof typeof TABLES]
}

/** Returns the column of a field. Throws for an unknown field. */
function getColumn({ table, columns }: Table, field: string): string {
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
interface TokenEncryption {
  readonly encryptToken: (token: string) => Promise<string>
}

/** Converts a value of better-auth to its stored form. */
async function toStored(
  field: string,
  value: unknown,
  { encryptToken }: TokenEncryption,
): Promise<SqlParameter> {
  if (field === 'token' && typeof value === 'string') return hashSecret(value)
  if (field === 'accessToken' && typeof value === 'string') return encryptToken(value)
  return toParameter(value)
}

/** Converts a row to better-auth's fields. */
function toFields({ columns }: Table, row: Fields): Fields {
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
async function toCondition(table: Table, where: readonly CleanedWhere[]) {
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

/** Turns a violation of a unique index into an error that the sign-in page explains. */
function toApiError(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('UNIQUE constraint failed')) return error
  if (error.message.includes('users.email')) return new APIError('CONFLICT', { code: 'email_taken' })
  if (/users\.username|users_by_look/.test(error.message))
    return new APIError('CONFLICT', { code: 'username_taken' })
  return error
}

type Selection = Parameters<CustomAdapter['delete']>[0]
type FindManyOptions = Parameters<CustomAdapter['findMany']>[0]

/**
 * Stores better-auth's records in D1, through the same `Database` as everything else. Session tokens are stored as
 * hashes, the tokens of linked accounts encrypted.
 */
export const createAuthStorage = (db: Database, tokenEncryption: TokenEncryption) =>
  createAdapterFactory({
    config: { adapterId: 'regent', supportsNumericIds: false, transaction: false },
    adapter: ({ getDefaultModelName }): CustomAdapter => {
      const tableFor = (model: string) => getTable(getDefaultModelName(model))
      // better-auth names the type of a row, which depends on the model.
      const select = async <Row>(model: string, where: readonly CleanedWhere[], end = '') => {
        const table = tableFor(model)
        const { condition, parameters } = await toCondition(table, where)
        const rows = await db.all<Fields>([
          `SELECT ${Object.values(table.columns).join(', ')} FROM ${table.table} WHERE ${condition}${end}`,
          ...parameters,
        ])
        // better-auth can't use the hash of a token, so it gets back the token that it searched for.
        const token = where.find(({ field }) => field === 'token')?.value
        return rows.map((row) => ({ ...toFields(table, row), ...(token !== undefined && { token }) }) as Row)
      }
      const update = async (model: string, where: readonly CleanedWhere[], changes: Fields) => {
        const table = tableFor(model)
        const { condition, parameters } = await toCondition(table, where)
        const kept = Object.entries(changes).filter(([field]) => Object.hasOwn(table.columns, field))
        if (kept.length === 0) return
        const assignments: string[] = []
        for (const [field, value] of kept) {
          parameters.push(await toStored(field, value, tokenEncryption))
          assignments.push(`${getColumn(table, field)} = ?${parameters.length}`)
        }
        await db.all([
          `UPDATE ${table.table} SET ${assignments.join(', ')} WHERE ${condition} RETURNING 1`,
          ...parameters,
        ])
      }
      const remove = async <Row>(model: string, where: readonly CleanedWhere[]) => {
        const table = tableFor(model)
        const { condition, parameters } = await toCondition(table, where)
        const rows = await db.all<Fields>([
          `DELETE FROM ${table.table} WHERE ${condition} RETURNING ${Object.values(table.columns).join(', ')}`,
          ...parameters,
        ])
        return rows.map((row) => toFields(table, row) as Row)
      }
      return {
        create: async ({ model, data }) => {
          const table = tableFor(model)
          const kept = Object.entries(data).filter(([field]) => Object.hasOwn(table.columns, field))
          const parameters = await Promise.all(
            kept.map(([field, value]) => toStored(field, value, tokenEncryption)),
          )
          const columns = kept.map(([field]) => getColumn(table, field)).join(', ')
          const places = kept.map((_, index) => `?${index + 1}`).join(', ')
          await db
            .all([`INSERT INTO ${table.table} (${columns}) VALUES (${places})`, ...parameters])
            .catch((error) => {
              throw toApiError(error)
            })
          return data
        },
        findOne: async <Row>({ model, where }: Selection) =>
          (await select<Row>(model, where, ' LIMIT 1'))[0] ?? null,
        findMany: async <Row>({ model, where = [], limit, sortBy }: FindManyOptions) => {
          const order = sortBy
            ? ` ORDER BY ${getColumn(tableFor(model), sortBy.field)} ${sortBy.direction === 'asc' ? 'ASC' : 'DESC'}`
            : ''
          return select<Row>(model, where, `${order} LIMIT ${Number(limit)}`)
        },
        update: async <Row>({ model, where, update: changes }: Selection & { update: Row }) => {
          await update(model, where, changes as Fields)
          return (await select<Row>(model, where, ' LIMIT 1'))[0] ?? null
        },
        updateMany: async ({ model, where, update: changes }) => {
          await update(model, where, changes)
          return (await select(model, where)).length
        },
        delete: async ({ model, where }) => {
          await remove(model, where)
        },
        deleteMany: async ({ model, where }) => (await remove(model, where)).length,
        consumeOne: async <Row>({ model, where }: Selection) => (await remove<Row>(model, where))[0] ?? null,
        count: async ({ model, where = [] }) => (await select(model, where)).length,
      }
    },
  })
