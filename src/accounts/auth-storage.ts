import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { APIError } from 'better-auth/api'
import type { Database, SqlParameter } from '../storage.ts'
import { hashSecret } from './hashing.ts'

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

type Fields = Record<string, unknown>

function tableOf(model: string): Table {
  if (!Object.hasOwn(TABLES, model))
    throw new Error(`better-auth asks for a table that is not there: ${model}`)
  return TABLES[model as keyof typeof TABLES]
}

function columnOf({ table, columns }: Table, field: string): string {
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
interface Sealing {
  readonly sealToken: (token: string) => Promise<string>
}

async function toStored(field: string, value: unknown, { sealToken }: Sealing): Promise<SqlParameter> {
  if (field === 'token' && typeof value === 'string') return hashSecret(value)
  if (field === 'accessToken' && typeof value === 'string') return sealToken(value)
  return toParameter(value)
}

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

async function toCondition(table: Table, where: readonly CleanedWhere[]) {
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

/** What a unique index refuses, as the error that sign-in tells of. */
function toApiError(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('UNIQUE constraint failed')) return error
  if (error.message.includes('users.email')) return new APIError('CONFLICT', { code: 'email_taken' })
  if (/users\.username|users_by_look/.test(error.message))
    return new APIError('CONFLICT', { code: 'username_taken' })
  return error
}

/**
 * Keeps what better-auth knows in D1, through the one class that every statement goes through. The token
 * of a session is stored as its hash, that of a linked account sealed.
 */
export const authStorage = (db: Database, sealing: Sealing) =>
  createAdapterFactory({
    config: { adapterId: 'regent', supportsNumericIds: false, transaction: false },
    adapter: ({ getDefaultModelName }): CustomAdapter => {
      const tableFor = (model: string) => tableOf(getDefaultModelName(model))
      const select = async (model: string, where: readonly CleanedWhere[], end = '') => {
        const table = tableFor(model)
        const { condition, parameters } = await toCondition(table, where)
        const rows = await db.all<Fields>([
          `SELECT ${Object.values(table.columns).join(', ')} FROM ${table.table} WHERE ${condition}${end}`,
          ...parameters,
        ])
        // The hash of a token is no use to better-auth: it gets back the token that it asked with.
        const token = where.find(({ field }) => field === 'token')?.value
        return rows.map((row) => ({ ...toFields(table, row), ...(token !== undefined && { token }) }))
      }
      const update = async (model: string, where: readonly CleanedWhere[], changes: Fields) => {
        const table = tableFor(model)
        const { condition, parameters } = await toCondition(table, where)
        const kept = Object.entries(changes).filter(([field]) => Object.hasOwn(table.columns, field))
        if (kept.length === 0) return
        const assignments: string[] = []
        for (const [field, value] of kept) {
          parameters.push(await toStored(field, value, sealing))
          assignments.push(`${columnOf(table, field)} = ?${parameters.length}`)
        }
        await db.all([
          `UPDATE ${table.table} SET ${assignments.join(', ')} WHERE ${condition} RETURNING 1`,
          ...parameters,
        ])
      }
      const remove = async (model: string, where: readonly CleanedWhere[]) => {
        const table = tableFor(model)
        const { condition, parameters } = await toCondition(table, where)
        const rows = await db.all<Fields>([
          `DELETE FROM ${table.table} WHERE ${condition} RETURNING ${Object.values(table.columns).join(', ')}`,
          ...parameters,
        ])
        return rows.map((row) => toFields(table, row))
      }
      const adapter = {
        create: async ({ model, data }: { model: string; data: Fields }) => {
          const table = tableFor(model)
          const kept = Object.entries(data).filter(([field]) => Object.hasOwn(table.columns, field))
          const parameters = await Promise.all(kept.map(([field, value]) => toStored(field, value, sealing)))
          const columns = kept.map(([field]) => columnOf(table, field)).join(', ')
          const places = kept.map((_, index) => `?${index + 1}`).join(', ')
          await db
            .all([`INSERT INTO ${table.table} (${columns}) VALUES (${places})`, ...parameters])
            .catch((error) => {
              throw toApiError(error)
            })
          return data
        },
        findOne: async ({ model, where }: { model: string; where: CleanedWhere[] }) =>
          (await select(model, where, ' LIMIT 1'))[0] ?? null,
        findMany: async ({
          model,
          where,
          limit,
          sortBy,
        }: {
          model: string
          where?: CleanedWhere[] | undefined
          limit: number
          sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined
        }) => {
          const order = sortBy
            ? ` ORDER BY ${columnOf(tableFor(model), sortBy.field)} ${sortBy.direction === 'asc' ? 'ASC' : 'DESC'}`
            : ''
          return select(model, where ?? [], `${order} LIMIT ${Number(limit)}`)
        },
        update: async ({
          model,
          where,
          update: changes,
        }: {
          model: string
          where: CleanedWhere[]
          update: unknown
        }) => {
          await update(model, where, changes as Fields)
          return (await select(model, where, ' LIMIT 1'))[0] ?? null
        },
        updateMany: async ({
          model,
          where,
          update: changes,
        }: {
          model: string
          where: CleanedWhere[]
          update: Fields
        }) => {
          await update(model, where, changes)
          return (await select(model, where)).length
        },
        delete: async ({ model, where }: { model: string; where: CleanedWhere[] }) => {
          await remove(model, where)
        },
        deleteMany: async ({ model, where }: { model: string; where: CleanedWhere[] }) =>
          (await remove(model, where)).length,
        consumeOne: async ({ model, where }: { model: string; where: CleanedWhere[] }) =>
          (await remove(model, where))[0] ?? null,
        count: async ({ model, where }: { model: string; where?: CleanedWhere[] | undefined }) =>
          (await select(model, where ?? [])).length,
      }
      // better-auth types rows by a type parameter of the caller's, which no implementation can prove.
      return adapter as unknown as CustomAdapter
    },
  })
