import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { type Account, account, session } from '../accounts.ts'
import { create, read } from '../client.ts'
import { type PageAnswer, parseForm, visit } from './forms.ts'

export interface Scene {
  readonly creator: Account
  readonly headers: Record<string, string>
  readonly id: string
  /** The path of the page that edits the document. */
  readonly path: string
}

/** Creates a document and signs its creator in. */
export async function createScene(content: string, settings: Record<string, unknown> = {}): Promise<Scene> {
  const creator = await account()
  const { id } = await create(content, settings, { key: creator.key })
  return { creator, headers: await session(creator), id, path: `/${id}/edit` }
}

/** Returns the fields of the form as they are when the page is opened. */
export const openForm = async ({ path, headers }: Pick<Scene, 'path' | 'headers'>) =>
  parseForm((await visit(path, { headers })).html, path)

export const readContent = async (id: string, key?: string): Promise<string> =>
  (await read(id, { key })).body.data.content

export const findVersion = async (id: string): Promise<string> =>
  (await env.DB.prepare('SELECT version FROM documents WHERE id = ?1').bind(id).first<string>('version')) ??
  ''

/** Expects the form again, with the user's input and a problem. */
export async function expectFormAgain(
  answer: PageAnswer,
  path: string,
  status: number,
  typed: Record<string, string>,
) {
  expect(answer.status).toBe(status)
  expect(answer.html).toContain('role="alert"')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(await parseForm(answer.html, path)).toMatchObject(typed)
}
