import { env } from 'cloudflare:workers'
import {
  processAccountDeletion,
  processAccountDeletions,
  startAccountDeletion,
} from '../../../src/accounts/account-deletion.ts'
import { ContentStore } from '../../../src/documents/content-store.ts'
import { addDocumentsToAccount } from '../../../src/documents/document-tokens.ts'
import { Turns } from '../../../src/documents/turns.ts'
import { viewCounter } from '../../../src/documents/views.ts'
import { Database } from '../../../src/platform/database.ts'
import { account } from '../../support/accounts.ts'
import { call, create, createAnonymous, edit, read } from '../../support/client.ts'
import { TIMEOUT_MS } from '../../support/storage/faults.ts'
import { acceptAnswer, operation } from '../operation.ts'

const openStore = ({ DB, CONTENTS }: Env) => ({
  db: new Database(DB, TIMEOUT_MS),
  contents: new ContentStore(CONTENTS, TIMEOUT_MS),
})

/** Returns null for a storage fault. */
const orNull = <Result>(work: Promise<Result>): Promise<Result | null> => work.catch(() => null)

const replaceKey = operation({
  name: 'key replacement',
  arrange: account,
  run: async ({ key }, bindings) =>
    acceptAnswer(
      await call<{ api_token: string }>('POST', '/v1/users/@me/regenerate_api_token', undefined, {
        key,
        bindings,
      }),
    ),
  check: async ({ id, key }, outcome) => {
    const works = async (tried: string) =>
      (await call('GET', '/v1/users/@me', undefined, { key: tried })).status === 200
    const count = await env.DB.prepare('SELECT count(*) AS n FROM api_keys WHERE user_id = ?1')
      .bind(id)
      .first('n')
    return [
      count !== 1 && `${count} keys`,
      outcome.kind === 'acknowledged' &&
        !(await works(outcome.result.body.data.api_token)) &&
        'the new key is lost',
      outcome.kind === 'acknowledged' && (await works(key)) && 'the old key still works',
    ]
  },
})

const takeAnonymous = operation({
  name: 'adding documents to an account',
  arrange: async () => ({
    creator: await account(),
    documents: [await createAnonymous('a'), await createAnonymous('b')],
  }),
  run: ({ creator, documents }, bindings) => {
    const unlimited = { documents: null, bytes: null, writesPerDay: null }
    const quotas = { account: { ...unlimited, documents: 2 }, server: unlimited }
    const store = {
      ...openStore(bindings),
      views: viewCounter,
      defer: () => {},
      scheduleGistSync: () => {},
      quotas,
      turns: new Turns(),
      getClientAddress: () => null,
      forget: () => {},
    }
    return orNull(addDocumentsToAccount(store, documents, { creator, now: Date.now() }))
  },
  check: async ({ creator, documents }, outcome) => {
    const owners = await Promise.all(
      documents.map(async ({ id }) => (await read(id)).body.data.creator?.id ?? null),
    )
    const made = await env.DB.prepare('SELECT documents_made AS n FROM users WHERE id = ?1')
      .bind(creator.id)
      .first('n')
    const taken = owners.filter((owner) => owner === creator.id).length
    return [
      outcome.kind === 'acknowledged' && taken !== 2 && 'an acknowledged document isn’t the account’s',
      taken === 1 && 'only one of two documents is the account’s',
      made !== taken && `${taken} documents are counted as ${made}`,
    ]
  },
})

const deleteAccount = (documents: 'delete' | 'keep') =>
  operation({
    name: `account deletion, documents: ${documents}`,
    isVariant: documents === 'keep',
    arrange: async () => {
      const owner = await account()
      const editor = await account()
      const shared = await create('shared', { editors: [editor.username] }, { key: owner.key })
      await edit({ id: shared.id, content: 'edited' }, { key: editor.key })
      return {
        owner,
        ids: [shared.id, (await create('once', { instant_delete: true }, { key: owner.key })).id],
      }
    },
    run: ({ owner }, bindings) => {
      const store = openStore(bindings)
      const deletion = async () => {
        await startAccountDeletion(store.db, owner.id, documents)
        return processAccountDeletion(store, { id: owner.id, documents }, () => true)
      }
      return orNull(deletion())
    },
    check: async ({ owner, ids }, outcome) => {
      const find = () => env.DB.prepare('SELECT leaving FROM users WHERE id = ?1').bind(owner.id).first()
      const started = (await find())?.leaving !== null
      // The scheduled trigger continues.
      if (started) await processAccountDeletions(openStore(env), () => true)
      const { results } = await env.DB.prepare(
        'SELECT creator_id FROM documents WHERE id IN (SELECT value FROM json_each(?1))',
      )
        .bind(JSON.stringify(ids))
        .all<{ creator_id: string | null }>()
      const key = (await call('GET', '/v1/users/@me', undefined, { key: owner.key })).status
      if (!started)
        return [
          outcome.kind === 'acknowledged' && 'never started',
          key !== 200 && 'the key is gone',
          results.length !== 2 && 'documents are gone',
        ]
      return [
        (await find()) !== null && 'the account is still there',
        key !== 401 && 'its key still works',
        results.length !== (documents === 'keep' ? 2 : 0) && `${results.length} documents are left`,
        results.some(({ creator_id }) => creator_id !== null) && 'a document refers to the account',
      ]
    },
  })

export const ACCOUNTS = [replaceKey, takeAnonymous, deleteAccount('delete'), deleteAccount('keep')]
