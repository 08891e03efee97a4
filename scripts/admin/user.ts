import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { makeZip } from 'client-zip'
import {
  INVITATION_DAYS,
  isAddress,
  MAX_RECIPIENT_CHARACTERS,
} from '../../src/accounts/invitation-statements.ts'
import { isKeyScope, KEY_SCOPES } from '../../src/accounts/key-format.ts'
import type { ZipFile } from '../../src/download/zip-files.ts'
import {
  addInvitation,
  addKey,
  addUser,
  deleteUser,
  type KeyOptions,
  type ListedKey,
  linkUser,
  listUsers,
  type NewKey,
  restoreUser,
  revokeKey,
  setAdmin,
  suspendUser,
} from '../support/accounts.ts'
import { withBindings } from '../support/bindings.ts'
import { COMMON_HELP, defineCommands } from '../support/command.ts'
import { readServiceConfig } from '../support/config.ts'
import { requireLocalDatabase } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'
import { exportUser } from './export-user.ts'
import { getCommandActor } from './moderation.ts'

/** Ten years, as for documents. */
const MAX_KEY_DAYS = 3_650

const HELP = `Manages accounts and API keys.

Usage: npm run admin -- user COMMAND [options]

  add NAME --email EMAIL [--unconfirmed]  create an account and its first API key
  invite NAME_OR_ADDRESS                  make an invitation, where SIGN_UP takes them: a link that works once, for
                                          7 days, and with an address for that address only
  key NAME [--name LABEL] [--scope SCOPE] [--days N]
                                          create another API key: with the scope read, write or
                                          everything (the default), for N days (forever by default)
  revoke KEY_ID                           revoke an API key
  suspend NAME                            suspend an account: disable its keys and sign it out
  restore NAME                            lift a suspension
  delete NAME [--keep-documents]          delete an account and its documents for good; with
                                          --keep-documents, its documents stay, without a creator
  admin NAME [--off]                      allow an account to moderate documents; with --off, no longer
  export NAME [--output FILE]             write what the account could download itself, a ZIP file that only
                                          you can read; "-" writes to the standard output
  link NAME --issuer URL --subject SUB    let who has this subject at this OpenID provider sign in to an account
  list                                    list accounts and their keys

Options:

${COMMON_HELP}
An API key is shown once, when it's created. The database only stores its hash.
`

/** Returns what a new key may do, and until when. */
function parseKeyLimits(scope: string, days: string | undefined): Omit<KeyOptions, 'name'> {
  if (!isKeyScope(scope)) {
    throw new CommandError(`--scope takes ${Object.keys(KEY_SCOPES).join(', ')}, not: ${scope}`)
  }
  if (days !== undefined && !(Number(days) > 0 && Number(days) <= MAX_KEY_DAYS)) {
    throw new CommandError(`--days takes a number of days up to ${MAX_KEY_DAYS}, not: ${days}`)
  }
  return { scope, days: days === undefined ? null : Number(days) }
}

const NO_INVITATIONS =
  'There are no invitations here: SIGN_UP is "open" or "closed". To create an account yourself: npm run admin -- user add'

/** Throws a CommandError if it's neither a name nor an address. */
function parseRecipient(text: string): string {
  const recipient = text.trim()
  const isValid = isAddress(recipient) ? /^[!-?A-~]+@[!-?A-~]+$/.test(recipient) : recipient !== ''
  if (isValid && recipient.length <= MAX_RECIPIENT_CHARACTERS)
    return isAddress(recipient) ? recipient.toLowerCase() : recipient
  throw new CommandError(`Not a name or a valid email address: ${text}`)
}

/** Returns how many documents it has. Throws a CommandError if the file exists. */
async function writeExport(files: AsyncIterable<ZipFile<ArrayBuffer>>, file: string): Promise<number> {
  if (file !== '-' && existsSync(file)) throw new CommandError(`The file exists already: ${file}`)
  const entries = files[Symbol.asyncIterator]()
  // Before the file is created: there may be no such account.
  const first = await entries.next()
  let documents = 0
  async function* count() {
    if (!first.done) yield first.value
    for await (const entry of { [Symbol.asyncIterator]: () => entries }) {
      if (entry.name.endsWith('/document.json')) documents += 1
      yield entry
    }
  }
  const zip = Readable.fromWeb(makeZip(count()) as NodeReadableStream)
  const isTerminal = file === '-'
  try {
    await pipeline(zip, isTerminal ? process.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
      end: !isTerminal,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandError(`The file exists already: ${file}`)
  }
  return documents
}

const describeKey = ({ username, key, key_id }: NewKey): string =>
  `API key of ${username}, shown only once: ${key}\nTo revoke it later: npm run admin -- user revoke ${key_id}`

export const userCommands = defineCommands({
  name: 'user',
  help: HELP,
  options: {
    email: { type: 'string' },
    unconfirmed: { type: 'boolean', default: false },
    name: { type: 'string', default: 'key' },
    scope: { type: 'string', default: 'everything' },
    days: { type: 'string' },
    'keep-documents': { type: 'boolean', default: false },
    off: { type: 'boolean', default: false },
    issuer: { type: 'string' },
    subject: { type: 'string' },
    output: { type: 'string' },
  },
  commands: {
    add: async ({ values: { email, unconfirmed }, storage, operand, print }) => {
      const username = operand('username')
      if (!email) throw new CommandError('"add" needs --email EMAIL.')
      const added = await addUser(storage, { username, email, confirmed: !unconfirmed })
      print(added, describeKey(added))
    },
    invite: async ({ storage, target, operand, print }) => {
      const recipient = parseRecipient(operand('name or email address'))
      const { signUp, siteUrl } = readServiceConfig(target)
      if (signUp.inviters === null) throw new CommandError(NO_INVITATIONS)
      const { id, token } = await addInvitation(storage, recipient)
      const link = `${siteUrl ?? ''}/sign-up?invitation=${token}`
      print(
        { id, recipient, link, days: INVITATION_DAYS },
        `Invitation for ${recipient}, shown only once. It works once, for ${INVITATION_DAYS} days:\n${link}${siteUrl === null ? '\n(SITE_URL is empty: put the address of the site before it.)' : ''}`,
      )
    },
    key: async ({ values, storage, operand, print }) => {
      const limits = parseKeyLimits(values.scope, values.days)
      const added = await addKey(storage, operand('username'), { name: values.name, ...limits })
      print(added, describeKey(added))
    },
    revoke: async ({ storage, operand, print }) => {
      const keyId = operand('API key id')
      await revokeKey(storage, keyId)
      print({ key_id: keyId, revoked: true }, `Revoked the API key ${keyId}.`)
    },
    suspend: async ({ storage, operand, printOnceHidden }) => {
      const username = operand('username')
      await suspendUser(storage, username)
      await printOnceHidden({ username, suspended: true }, `Suspended ${username}.`)
    },
    restore: async ({ storage, operand, print }) => {
      const username = operand('username')
      await restoreUser(storage, username)
      print({ username, suspended: false }, `${username} is no longer suspended.`)
    },
    delete: async ({ values, storage, operand, printOnceHidden }) => {
      const keepDocuments = values['keep-documents']
      const { documents, keys, username } = await deleteUser(storage, operand('username'), { keepDocuments })
      await printOnceHidden(
        { username, deleted: true, documents, documents_kept: keepDocuments, keys },
        `Deleted ${username}. API keys deleted: ${keys}. Documents ${keepDocuments ? 'kept' : 'deleted'}: ${documents}.`,
      )
    },
    link: async ({ values: { issuer = '', subject = '' }, storage, operand, print }) => {
      const username = operand('username')
      if (!/^https?:/.test(issuer) || !URL.canParse(issuer))
        throw new CommandError('"link" needs --issuer URL, as OIDC_ISSUER has it.')
      if (!/^[ -~]{1,255}$/.test(subject)) throw new CommandError('"link" needs --subject SUB.')
      await linkUser(storage, username, { issuer: new URL(issuer).href, subject })
      print({ username, issuer, subject }, `${subject} at ${issuer} can now sign in to ${username}.`)
    },
    admin: async ({ values: { off }, storage, operand, print }) => {
      const username = operand('username')
      await setAdmin(storage, username, !off)
      print({ username, admin: !off }, `${username} is ${off ? 'no longer' : 'now'} an admin.`)
    },
    export: async ({ values: { output }, target, operand, print }) => {
      const username = operand('username')
      const now = Date.now()
      const file = output ?? `regent-${username}-${new Date(now).toISOString().slice(0, 10)}.zip`
      const siteUrl = readServiceConfig(target).siteUrl ?? ''
      await requireLocalDatabase(target)
      const documents = await withBindings(target, (bindings) =>
        writeExport(exportUser(bindings, username, { actor: getCommandActor(), siteUrl, now }), file),
      )
      if (file !== '-') print({ username, file, documents }, `Wrote ${file}. Documents: ${documents}.`)
    },
    list: async ({ storage, noOperands, print }) => {
      noOperands()
      const users = (await listUsers(storage)).map((user) => ({
        ...user,
        confirmed: user.confirmed === 1,
        suspended: user.suspended === 1,
        admin: user.admin === 1,
        keys: JSON.parse(String(user.keys)) as ListedKey[],
      }))
      print({ users }, users.map((user) => JSON.stringify(user)).join('\n') || 'No accounts yet.')
    },
  },
})
