import { env } from 'cloudflare:workers'
import { account } from '../../support/accounts.ts'
import { type Answer, call, create, read } from '../../support/client.ts'
import {
  createAuthor,
  findGistRow,
  gitHubBindings,
  HOUR_MS,
  runDueGists,
} from '../../support/github/publishing.ts'
import { acceptAnswer, operation } from '../operation.ts'

const countDocuments = async (creatorId: string): Promise<number> =>
  Number(
    await env.DB.prepare('SELECT count(*) AS n FROM documents WHERE creator_id = ?1')
      .bind(creatorId)
      .first('n'),
  )

const post = async (body: unknown, options: Parameters<typeof call>[3]) =>
  acceptAnswer(await call('POST', '/v1/document', body, { ...options, settle: true }))

/** Returns what is wrong with the document in an answer. */
async function checkDocument(answer: Answer, content: string): Promise<(string | false)[]> {
  const found = await read(answer.body.data.id, {
    headers: { 'X-Document-Token': answer.headers.get('X-Document-Token') ?? '' },
  })
  return [found.body.data?.content !== content && 'the acknowledged document is missing']
}

/** Arranges an account with a document that nothing may happen to. */
async function arrangeAuthor() {
  const owner = await account()
  const bystander = await create('bystander', { expiration: null }, { key: owner.key })
  return { owner, bystander }
}

/** Returns what is wrong with the other document and with how many there are. */
async function checkAuthor({ owner, bystander }: Awaited<ReturnType<typeof arrangeAuthor>>) {
  const made = await countDocuments(owner.id)
  const counted = await env.DB.prepare('SELECT documents_made AS n FROM users WHERE id = ?1')
    .bind(owner.id)
    .first('n')
  return [
    (await read(bystander.id)).body.data?.content !== 'bystander' && 'another document is damaged',
    made > 2 && 'one create made two documents',
    counted !== made && `${made} documents are counted as ${counted}`,
  ]
}

const createPlain = operation({
  name: 'create',
  arrange: arrangeAuthor,
  run: ({ owner }, bindings) =>
    post({ content: 'new', settings: { language: 'json', expiration: null } }, { key: owner.key, bindings }),
  check: async (scene, outcome) => [
    ...(await checkAuthor(scene)),
    ...(outcome.kind === 'acknowledged' ? await checkDocument(outcome.result, 'new') : []),
  ],
})

const createAnonymous = operation({
  name: 'create without an account',
  isVariant: true,
  arrange: async () => {},
  run: (_, bindings) => post({ content: 'new' }, { bindings }),
  check: async (_, outcome) =>
    outcome.kind === 'acknowledged' ? await checkDocument(outcome.result, 'new') : [],
})

const createEncrypted = operation({
  name: 'create, encrypted',
  isVariant: true,
  arrange: arrangeAuthor,
  run: ({ owner }, bindings) =>
    post({ content: 'secret', settings: { encrypted: true } }, { key: owner.key, bindings }),
  check: async (scene, outcome) => {
    if (outcome.kind !== 'acknowledged') return checkAuthor(scene)
    const { id, password } = outcome.result.body.data
    const found = await read(`${id}?password=${password}`)
    return [
      ...(await checkAuthor(scene)),
      found.body.data?.content !== 'secret' && 'the acknowledged document can’t be decrypted',
    ]
  },
})

/** Sends a create, and repeats it without a fault: both get one document, whatever happened. */
const createKeyed = (name: string, withAccount: boolean) =>
  operation({
    name,
    isVariant: withAccount,
    arrange: async () => {
      const owner = await account()
      const before = Number(await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n'))
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      return { before, options: withAccount ? { key: owner.key, headers } : { headers } }
    },
    run: ({ options }, bindings) => post({ content: 'new' }, { ...options, bindings }),
    check: async ({ before, options }, outcome) => {
      const repeated = await post({ content: 'new' }, options)
      const count = Number(await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')) - before
      if (!repeated) return ['the repeat failed']
      const first = outcome.kind === 'acknowledged' ? outcome.result : repeated
      return [
        count !== 1 && `${count} documents`,
        first.body.data.id !== repeated.body.data.id && 'the repeat got another document',
        first.headers.get('X-Document-Token') !== repeated.headers.get('X-Document-Token') &&
          'the repeat got another token',
        ...(await checkDocument(repeated, 'new')),
      ]
    },
  })

const createWithGist = operation({
  name: 'create with a gist',
  vars: { GITHUB_API_URL: gitHubBindings.GITHUB_API_URL },
  arrange: createAuthor,
  run: ({ key }, bindings) => post({ content: 'new', settings: { create_gist: true } }, { key, bindings }),
  check: async (author, outcome) => {
    // The scheduled trigger finishes what a fault interrupted.
    for (const later of [0, HOUR_MS, 8 * HOUR_MS]) await runDueGists(later)
    const documents = await countDocuments(author.id)
    const { created, gists } = await author.state()
    const id = outcome.kind === 'acknowledged' ? outcome.result.body.data.id : null
    return [
      documents > 1 && 'one create made two documents',
      created !== documents && `${created} gists of ${documents} documents`,
      gists.length !== documents && `${gists.length} gists are left`,
      id !== null && documents === 0 && 'the acknowledged document is missing',
      id !== null && (await findGistRow(id))?.gist_id === null && 'the gist isn’t recorded',
    ]
  },
})

export const CREATES = [
  createPlain,
  createAnonymous,
  createEncrypted,
  createKeyed('create with Idempotency-Key', true),
  createKeyed('the same without an account', false),
  createWithGist,
]
