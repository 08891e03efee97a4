import { env } from 'cloudflare:workers'
import { makeZip } from 'client-zip'
import { expect, it } from 'vitest'
import { exportUser } from '../../scripts/admin/export-user.ts'
import { account, session } from '../support/accounts.ts'
import { create, ORIGIN, read, send } from '../support/client.ts'
import { unzip } from '../support/unzip.ts'

const exportFor = async (username: string) => {
  const files = exportUser(env, username, { actor: 'cli:me@here', siteUrl: ORIGIN, now: Date.now() })
  return unzip(new Uint8Array(await new Response(makeZip(files)).arrayBuffer()))
}

/** The time of the export, and the account's session, differ. */
const withoutTimes = (files: Map<string, string>) =>
  [...files].map(([name, text]) => [name, text.replaceAll(/"(exported|signed_in|expires)": "[^"]*"/g, '')])

it('exports an account as its owner gets it from the site, and leaves an entry in the audit log', async () => {
  const own = await account()
  const plain = await create('\uFEFFline\r\n😀', { title: 'notes.md', language: 'markdown' }, own)
  await create('secret', { encrypted: true }, own)
  const burns = await create('burns', { instant_delete: true }, own)
  const headers = await session(own)
  const site = unzip(new Uint8Array(await (await send('/account/download/zip', { headers })).arrayBuffer()))
  const exported = await exportFor(own.username.toUpperCase())
  expect(withoutTimes(exported)).toEqual(withoutTimes(site))
  expect(exported.get(`documents/${plain.id}/notes.md`)).toBe('\uFEFFline\r\n😀')
  expect((await read(burns.id)).body.data.content).toBe('burns')
  const entries = await env.DB.prepare(
    "SELECT actor, subject FROM audit_log WHERE action = 'account.export'",
  ).all()
  expect(entries.results).toEqual([{ actor: 'cli:me@here', subject: own.username }])
})

it('refuses an account that nobody has', async () => {
  await expect(exportFor('nobody-at-all')).rejects.toThrow('No account has this username: nobody-at-all')
})
