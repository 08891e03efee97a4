import { documentCommands } from '../../../scripts/admin/documents.ts'
import { userCommands } from '../../../scripts/admin/user.ts'
import type { Row, StorageClient } from '../../../scripts/support/database.ts'
import { runner, splitStatements } from '../../scripts/support/commands.ts'
import { addAccount } from '../support/accounts.ts'
import { queryDatabase, readContent } from '../support/database.ts'
import { createDocument } from '../support/documents.ts'
import type { Service } from '../support/service.ts'

const COMMAND = /^npm run admin -- (user|documents) (.*?)(?:\s+#.*)?$/

/** Returns true if every line is an operator's command. Those run in this process, because wrangler takes seconds. */
export const isForOperator = (text: string): boolean =>
  text
    .trim()
    .split('\n')
    .every((line) => COMMAND.test(line))

let accounts = 0

/** Runs lines such as `npm run admin -- user key ada --name laptop`, each with its own account, key and document. */
export async function runForOperator(
  line: string,
  service: Service,
): Promise<{ code: number; stderr: string }> {
  const [, group, words = ''] = COMMAND.exec(line) ?? []
  accounts += 1
  const username = `example-account-${accounts}`
  const storage: StorageClient = {
    execute: async (sql) => {
      const results: Row[][] = []
      for (const statement of splitStatements(sql))
        results.push(await queryDatabase(service.folder, statement))
      return results
    },
    readContent: (key) => readContent(service.folder, key),
  }
  const user = runner(userCommands, storage)
  const replace = new Map([['ada', username]])
  if (!words.startsWith('add ')) {
    const { key } = await addAccount(service.folder, username)
    const { key_id } = JSON.parse((await user('key', username, '--json')).stdout) as { key_id: string }
    replace.set('KEYID', key_id)
    // An example may remove its document, and nobody can share a removed text again.
    replace.set('ID', (await createDocument(service, key, `text ${accounts}`)).id)
  }
  const args = (words.match(/'[^']*'|\S+/g) ?? []).map(
    (word) => replace.get(word) ?? word.replace(/^'|'$/g, ''),
  )
  const run = group === 'user' ? user : runner(documentCommands, storage)
  const { code, stderr } = await run(...args.map((word) => word.replace('ada@', `${username}@`)))
  return { code, stderr }
}
