import { describe, expect, it } from 'vitest'
import { deriveClaimToken, parseJweHeader } from '../../src/shared/jwe.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import {
  call,
  create,
  createAnonymous,
  edit,
  isolate,
  read,
  remove,
  send,
  withVars,
} from '../support/client.ts'

/** Few documents with a crowd of readers, and many with a few: small races meet at more different moments. */
const RACES = [
  { documents: 1, readers: 24 },
  { documents: 6, readers: 3 },
]
const DOCUMENTS = RACES.reduce((sum, { documents }) => sum + documents, 0)

interface ReadResult {
  readonly status: number
  readonly text: string
}

/** Lets all readers of each race read at once, one document after the other. */
async function race(
  createDocument: () => Promise<string>,
  readDocument: (id: string, reader: number) => Promise<ReadResult>,
): Promise<{ delivered: number; refused: Set<number>; texts: Set<string> }> {
  const refused = new Set<number>()
  const texts = new Set<string>()
  let delivered = 0
  for (const { documents, readers } of RACES) {
    for (let document = 0; document < documents; document++) {
      const id = await createDocument()
      const reads = Array.from({ length: readers }, (_, reader) => readDocument(id, reader))
      for (const { status, text } of await Promise.all(reads)) {
        if (status === 200) {
          delivered += 1
          texts.add(text)
        } else refused.add(status)
      }
    }
  }
  return { delivered, refused, texts }
}

const post = async (path: string): Promise<ReadResult> => {
  const response = await send(path, { method: 'POST' })
  return { status: response.status, text: await response.text() }
}

describe('concurrent reads of a burn-after-reading document', () => {
  it('deliver it to exactly one reader with a claim token', async () => {
    const { key } = await account()
    let token = ''
    const result = await race(
      async () => {
        const { id, password } = await create('once', { instant_delete: true, encrypted: true }, { key })
        const { body } = await call('GET', `/v1/document/${id}/claim`)
        token = await deriveClaimToken(password ?? '', parseJweHeader(body.data.header ?? ''))
        return id
      },
      async (id) => ({
        status: (await call('POST', `/v1/document/${id}/claim`, { token })).status,
        text: '',
      }),
    )
    expect(result).toEqual({ delivered: DOCUMENTS, refused: new Set([404]), texts: new Set(['']) })
  })

  it('deliver it to exactly one reader through API, page and raw link together', async () => {
    const { key } = await account()
    const result = await race(
      async () => (await create('only-once', { instant_delete: true }, { key })).id,
      async (id, reader) => {
        if (reader % 3 === 0) return post(`/${id}`)
        if (reader % 3 === 1) return post(`/r/${id}`)
        const { status, body } = await read(id)
        return { status, text: body.data?.content }
      },
    )
    expect(result.delivered).toBe(DOCUMENTS)
    expect(result.refused).toEqual(new Set([404]))
    for (const text of result.texts) expect(text).toContain('only-once')
  })
})

describe('concurrent edits', () => {
  it('with If-Match: exactly one succeeds, and its text is stored', async () => {
    const [a, b] = [await account(), await account()]
    const { id } = await create('start', { editors: [b.username] }, { key: a.key })
    for (let round = 0; round < 8; round++) {
      const before = await read(id, { bindings: isolate() })
      const headers = { 'If-Match': before.headers.get('ETag') ?? '' }
      const texts = [`a ${round}`, `b ${round}`] as const
      const [first, second] = await Promise.all([
        edit({ id, content: texts[0] }, { key: a.key, headers, bindings: isolate() }),
        edit({ id, content: texts[1] }, { key: b.key, headers, bindings: isolate() }),
      ])
      expect([first.status, second.status].sort()).toEqual([200, 412])
      const winner = first.status === 200 ? texts[0] : texts[1]
      expect((await read(id, { bindings: isolate() })).body.data.content).toBe(winner)
    }
  })

  it('without If-Match: all succeed, no change of a setting is lost, and one of the texts is stored', async () => {
    const { key } = await account()
    const { id } = await create('start', {}, { key })
    const edits = Array.from({ length: 12 }, (_, n) => ({ id, content: `text ${n}` }))
    const settings = [{ language: 'json' }, { public: true }, { image_embed: true }, { expiration: null }]
    const answers = await Promise.all([
      ...edits.map((body) => edit(body, { key, bindings: isolate() })),
      ...settings.map((changed) => edit({ id, settings: changed }, { key, bindings: isolate() })),
    ])
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    const { content, settings: after, timestamps } = (await read(id, { bindings: isolate() })).body.data
    expect(edits.map((body) => body.content)).toContain(content)
    expect(after).toMatchObject({ language: 'json', public: true, image_embed: true })
    expect(timestamps.expiration).toMatch(/^9999/)
  })

  it('by somebody who is removed from the editors in between: it is refused, and changes nothing', async () => {
    const [creator, editor] = [await account(), await account()]
    const { id } = await create('start', { editors: [editor.username] }, { key: creator.key })
    let batches = 0
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.batch' && ++batches === 1)
        expect((await edit({ id, settings: { editors: [] } }, { key: creator.key })).status).toBe(200)
      return run()
    })
    expect((await edit({ id, content: 'too late' }, { key: editor.key, bindings })).status).toBe(403)
    expect(batches).toBe(1)
    expect((await read(id, { bindings: isolate() })).body.data.content).toBe('start')
  })

  it('with concurrent reads: every read returns a complete version', async () => {
    const { key } = await account()
    const version = (n: number) => `${n}:`.repeat(500)
    const { id } = await create(version(0), {}, { key })
    const versions = new Set(Array.from({ length: 11 }, (_, n) => version(n)))
    const writing = (async () => {
      for (let n = 1; n <= 10; n++) await edit({ id, content: version(n) }, { key })
    })()
    const reading = Array.from({ length: 40 }, async () => {
      const answer = await read(id)
      expect(answer.status).toBe(200)
      expect(versions.has(answer.body.data.content)).toBe(true)
    })
    await Promise.all([writing, ...reading])
    expect((await read(id)).body.data.content).toBe(version(10))
  })
})

describe('concurrent requests with a document token', () => {
  it('edits with If-Match: exactly one succeeds, and its text is stored', async () => {
    const { id, headers } = await createAnonymous('start')
    for (let round = 0; round < 5; round++) {
      const etag = (await read(id, { bindings: isolate() })).headers.get('ETag') ?? ''
      const texts = [`a ${round}`, `b ${round}`, `c ${round}`]
      const answers = await Promise.all(
        texts.map((content) =>
          edit({ id, content }, { headers: { ...headers, 'If-Match': etag }, bindings: isolate() }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
      const winner = texts[answers.findIndex(({ status }) => status === 200)]
      expect((await read(id, { bindings: isolate() })).body.data.content).toBe(winner)
    }
  })

  it('delete and a read that burns: either “deleted unread” is true, or the reader has it and the delete is 404', async () => {
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const outcomes = new Set<string>()
    for (let round = 0; round < 8; round++) {
      const { id, headers } = await createAnonymous('once', { instant_delete: true }, { bindings })
      const reads = Array.from({ length: 3 }, () => read(id))
      const [removed, ...readers] = await Promise.all([remove(id, { headers }), ...reads])
      const delivered = readers.filter(({ status }) => status === 200).length
      outcomes.add(`${removed?.status}, ${delivered} delivered`)
      expect((await read(id)).status).toBe(404)
    }
    for (const outcome of outcomes) expect(['204, 0 delivered', '404, 1 delivered']).toContain(outcome)
  })
})

describe('other concurrent requests', () => {
  it.each(['token', 'key'])(
    'delete with a %s, and edits: once it is answered, it is gone',
    async (credential) => {
      const { key } = await account()
      for (let round = 0; round < 6; round++) {
        const { id, options } =
          credential === 'key'
            ? { ...(await create('x', {}, { key })), options: { key } }
            : await createAnonymous('x').then(({ id, headers }) => ({ id, options: { headers } }))
        const [removed, ...edited] = await Promise.all([
          remove(id, { ...options, bindings: isolate() }),
          ...Array.from({ length: 5 }, (_, n) =>
            edit({ id, content: `${n}` }, { ...options, bindings: isolate() }),
          ),
        ])
        expect(removed?.status).toBe(204)
        for (const answer of edited) expect([200, 404]).toContain(answer.status)
        expect((await read(id, { bindings: isolate() })).status).toBe(404)
      }
    },
  )

  it('creates by one account: each is counted', async () => {
    const { key } = await account()
    const made = await Promise.all(
      Array.from({ length: 25 }, () => create('x', { short_urls: true }, { key, bindings: isolate() })),
    )
    const counts = made.map(({ creator }) => creator?.documents_made).sort((a, b) => Number(a) - Number(b))
    expect(counts).toEqual(Array.from({ length: 25 }, (_, n) => n + 1))
    expect(new Set(made.map(({ id }) => id)).size).toBe(25)
  })
})
