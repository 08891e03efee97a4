import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { contentCache } from '../../../src/documents/content-store.ts'
import { account } from '../../support/accounts.ts'
import { create, edit, read, send } from '../../support/client.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Returns bindings that record the `cacheTtl` of each read of content, and may miss the first ones. */
function recordCacheTtl({ misses = 0 } = {}): { bindings: Env; ttls: (number | undefined)[] } {
  const ttls: (number | undefined)[] = []
  const CONTENTS = new Proxy(env.CONTENTS, {
    get(kv, property) {
      const value = Reflect.get(kv, property)
      if (property !== 'get') return typeof value === 'function' ? value.bind(kv) : value
      return async (key: string, options: KVNamespaceGetOptions<'arrayBuffer'>) => {
        ttls.push(options.cacheTtl)
        return ttls.length <= misses ? null : kv.get(key, options)
      }
    },
  })
  return { bindings: { ...env, CONTENTS }, ttls }
}

/** Makes a document look as if its content was stored some minutes ago. */
const age = (id: string, minutes: number) =>
  env.DB.prepare('UPDATE documents SET updated_at = ?2 WHERE id = ?1')
    .bind(id, Date.now() - minutes * 60_000)
    .run()

beforeEach(() => contentCache.clear())

describe('KV caches content', () => {
  it('for 30 seconds while a location may not have received it', async () => {
    const { id } = await create('new')
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).status).toBe(200)
    expect(ttls).toEqual([30])
  })

  it('for a day once it’s ten minutes old', async () => {
    const { id } = await create('old')
    await age(id, 10)
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).status).toBe(200)
    expect(ttls).toEqual([DAY_SECONDS])
  })

  it('for 30 seconds again after an edit', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await age(id, 60)
    await edit({ id, content: 'two' }, { key })
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).body.data.content).toBe('two')
    expect(ttls).toEqual([30])
  })

  it('for 30 seconds if a location has cached that it isn’t there', async () => {
    const { id } = await create('missed before')
    await age(id, 60)
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl({ misses: 1 })
    expect((await read(id, { bindings })).body.data.content).toBe('missed before')
    expect(ttls).toEqual([DAY_SECONDS, 30])
  })

  it('in the same way if it is streamed', async () => {
    const { id } = await create('long '.repeat(200_000))
    const young = recordCacheTtl()
    await (await send(`/r/${id}`, {}, young)).text()
    await age(id, 60)
    const old = recordCacheTtl()
    await (await send(`/r/${id}`, {}, old)).text()
    expect([young.ttls, old.ttls]).toEqual([[30], [DAY_SECONDS]])
  })

  it('for 30 seconds if it is about to be burned', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    await age(id, 60)
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).status).toBe(200)
    expect(ttls).toEqual([30])
  })
})
