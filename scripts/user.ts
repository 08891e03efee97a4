import { parseArgs } from 'node:util'
import {
  addKey,
  addUser,
  deleteUser,
  listUsers,
  type NewKey,
  restoreUser,
  revokeKey,
  setAdmin,
  suspendUser,
} from './accounts.ts'
import { COMMON_OPTIONS, onlyOf, sayAs, targetOf } from './command.ts'
import { CommandError, runScript } from './wrangler.ts'

const HELP = `Accounts and API keys, from the command line.

Usage: npm run user -- COMMAND [options]

  add NAME --email MAIL [--unconfirmed]   make an account and its first key
  key NAME [--name LABEL]                 make a further key
  revoke KEYID                            take a key away
  suspend NAME                            stop an account with all its keys, and sign it out
  restore NAME                            end a suspension
  delete NAME [--keep-documents]          delete an account, at once and for good, with its documents
                                          or without
  admin NAME [--off]                      let an account moderate the documents of others, or no more
  list                                    show accounts and their keys

  --remote             the deployed database; else the local one of "npm run dev"
  --persist-to DIR     a local database in another folder
  --json               print one JSON object and nothing else

A key is shown once, when it is made: the database holds only its hash.
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      unconfirmed: { type: 'boolean', default: false },
      name: { type: 'string', default: 'key' },
      'keep-documents': { type: 'boolean', default: false },
      off: { type: 'boolean', default: false },
      ...COMMON_OPTIONS,
    },
  })
  const [command, ...operands] = positionals
  if (values.help || command === undefined) {
    process.stdout.write(HELP)
    return
  }
  const target = targetOf(values)
  const say = sayAs(values)
  const operand = () => onlyOf(operands, `"${command}" takes one name. See: npm run user -- --help`)
  const sayKey = (made: NewKey) =>
    say(made, `Key of ${made.username}, shown this once: ${made.key}\nIts id, for "revoke": ${made.key_id}`)

  switch (command) {
    case 'add': {
      const username = operand()
      if (!values.email) throw new CommandError('"add" needs --email MAIL.')
      sayKey(await addUser(target, { username, email: values.email, confirmed: !values.unconfirmed }))
      return
    }
    case 'key':
      sayKey(await addKey(target, operand(), values.name))
      return
    case 'revoke': {
      const keyId = operand()
      await revokeKey(target, keyId)
      say({ key_id: keyId, revoked: true }, `The key ${keyId} is revoked.`)
      return
    }
    case 'suspend': {
      const username = operand()
      await suspendUser(target, username)
      say({ username, suspended: true }, `${username} is suspended.`)
      return
    }
    case 'restore': {
      const username = operand()
      await restoreUser(target, username)
      say({ username, suspended: false }, `${username} is not suspended.`)
      return
    }
    case 'delete': {
      const kept = values['keep-documents']
      const { documents, keys, username } = await deleteUser(target, operand(), { keepDocuments: kept })
      const result = { username, deleted: true, documents, documents_kept: kept, keys }
      const fate = kept ? 'kept without a creator' : 'deleted too'
      say(result, `${username} is deleted. API keys: ${keys}. Documents, ${fate}: ${documents}.`)
      return
    }
    case 'admin': {
      const username = operand()
      const admin = !values.off
      await setAdmin(target, username, admin)
      say({ username, admin }, `${username} is ${admin ? 'an admin' : 'no admin'}.`)
      return
    }
    case 'list': {
      const users = (await listUsers(target)).map((user) => ({
        ...user,
        confirmed: user.confirmed === 1,
        suspended: user.suspended === 1,
        admin: user.admin === 1,
        keys: JSON.parse(String(user.keys)) as { key_id: string; name: string }[],
      }))
      const lines = users.map((user) => JSON.stringify(user))
      say({ users }, lines.join('\n') || 'No accounts yet.')
      return
    }
    default:
      throw new CommandError(`There is no command "${command}". See: npm run user -- --help`)
  }
}

await runScript(main)
