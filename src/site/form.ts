import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** The text fields of a form that was sent, whatever its encoding; of a request without one, none. */
export async function formFields(c: Context<AppEnv>): Promise<Map<string, string>> {
  const fields = Object.entries(await c.req.parseBody())
  return new Map(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}
