import { env } from 'cloudflare:workers'
import { drawApiKey, hashApiKey } from '../../src/accounts/api-keys.ts'

export interface Account {
  readonly id: string
  readonly username: string
  readonly key: string
}

let made = 0

/** An account of its own for the caller, with a key. */
export async function account({
  username = `user-${++made}`,
  confirmed = true,
}: {
  username?: string
  confirmed?: boolean
} = {}): Promise<Account> {
  const id = `account${++made}`
  const key = drawApiKey()
  await env.DB.batch([
    env.DB.prepare(
      'INSERT INTO users (id, username, email, confirmed, created_at) VALUES (?1, ?2, ?3, ?4, 0)',
    ).bind(id, username, `${id}@example.org`, Number(confirmed)),
    env.DB.prepare(
      "INSERT INTO api_keys (key_hash, id, user_id, name, created_at) VALUES (?1, ?2, ?2, 'test', 0)",
    ).bind(await hashApiKey(key), id),
  ])
  return { id, username, key }
}

export async function suspend({ id }: Account): Promise<void> {
  await env.DB.prepare('UPDATE users SET suspended_at = 1 WHERE id = ?1').bind(id).run()
}
