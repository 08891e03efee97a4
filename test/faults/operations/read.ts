import { env } from 'cloudflare:workers'
import { addViews, viewCounter } from '../../../src/documents/views.ts'
import { Database } from '../../../src/platform/database.ts'
import { deriveClaimToken, parseJweHeader } from '../../../src/shared/jwe.ts'
import { account } from '../../support/accounts.ts'
import { call, create, read, send } from '../../support/client.ts'
import { acceptAnswer, operation } from '../operation.ts'

const arrange =
  (settings: Record<string, unknown> = {}) =>
  async () => {
    const { key } = await account()
    const { id, password = '' } = await create('text', settings, { key })
    return { id, key, password }
  }

const readPlain = operation({
  name: 'read',
  arrange: arrange(),
  run: async ({ id }, bindings) => {
    const answer = acceptAnswer(await read(id, { bindings }))
    await viewCounter.flush((views) => addViews(new Database(bindings.DB, 5_000), views)).catch(() => {})
    return answer
  },
  check: async ({ id }, outcome) => {
    const content = outcome.kind === 'acknowledged' ? outcome.result.body.data.content : 'text'
    // The next flush writes what a fault kept from being written.
    await viewCounter.flush((views) => addViews(new Database(env.DB, 5_000), views))
    const views = Number(
      await env.DB.prepare('SELECT views FROM documents WHERE id = ?1').bind(id).first('views'),
    )
    const delivered = outcome.kind === 'acknowledged' ? 1 : 0
    return [
      content !== 'text' && 'other content was delivered',
      Math.abs(views - delivered) > 1 && `${views} views of ${delivered} deliveries`,
      (await read(id)).body.data?.content !== 'text' && 'the document is damaged',
    ]
  },
})

const readEncrypted = operation({
  name: 'read, decrypted',
  isVariant: true,
  arrange: arrange({ encrypted: true }),
  run: async ({ id, password }, bindings) =>
    acceptAnswer(await read(id, { bindings, headers: { 'X-Document-Password': password } })),
  check: async (_, outcome) => [
    outcome.kind === 'acknowledged' && outcome.result.body.data.content !== 'text' && 'other content',
  ],
})

interface Burn {
  readonly name: string
  readonly isVariant?: boolean
  readonly settings: Record<string, unknown>
  /** Returns the delivered content; null for a server error. */
  readonly run: (scene: { id: string; password: string }, bindings: Env) => Promise<string | null>
}

/** A burn: its content is delivered at most once, and exactly once unless the process dies. */
const burn = ({ name, isVariant = false, settings, run }: Burn) =>
  operation({
    name,
    isVariant,
    arrange: arrange({ instant_delete: true, ...settings }),
    run,
    check: async (scene, outcome) => {
      const later = await run(scene, env).catch((error: Error) => {
        if (/answered 404/.test(error.message)) return null
        throw error
      })
      const first = outcome.kind === 'acknowledged'
      return [
        first && !outcome.result.includes('text') && 'other content was delivered',
        first && later !== null && 'delivered twice',
        outcome.kind === 'failed' && later === null && 'burned, but delivered to nobody',
      ]
    },
  })

async function claim(
  { id, password }: { id: string; password: string },
  bindings: Env,
): Promise<string | null> {
  const asked = acceptAnswer(await call('GET', `/v1/document/${id}/claim`, undefined, { bindings }))
  if (!asked) return null
  const token = await deriveClaimToken(password, parseJweHeader(asked.body.data.header ?? ''))
  const path = `/v1/document/${id}/claim`
  const claimed = acceptAnswer(await call('POST', path, { token }, { bindings, settle: true }))
  // The JWE is the content that a claim delivers.
  return claimed && (claimed.body.data.content.split('.').length === 5 ? 'text' : 'other')
}

export const READS = [
  readPlain,
  readEncrypted,
  burn({
    name: 'burn',
    settings: {},
    run: async ({ id }, bindings) =>
      acceptAnswer(await read(id, { bindings, settle: true }))?.body.data.content ?? null,
  }),
  burn({
    name: 'burn, decrypted',
    isVariant: true,
    settings: { encrypted: true },
    run: async ({ id, password }, bindings) =>
      acceptAnswer(await read(id, { bindings, settle: true, headers: { 'X-Document-Password': password } }))
        ?.body.data.content ?? null,
  }),
  burn({
    name: 'burn of raw text',
    isVariant: true,
    settings: {},
    run: async ({ id }, bindings) => {
      const response = await send(`/r/${id}`, { method: 'POST' }, { bindings, settle: true })
      const text = await response.text()
      if (response.status === 404) throw new Error('answered 404')
      return response.status === 200 ? text : null
    },
  }),
  burn({ name: 'claim', settings: { encrypted: true }, run: claim }),
]
