import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { APIError } from 'better-auth/api'
import type { Database } from '../../platform/database.ts'
import {
  type Fields,
  getColumn,
  getTable,
  type TokenEncryption,
  toCondition,
  toFields,
  toStored,
} from './auth-tables.ts'

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
