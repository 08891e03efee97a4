import { type RemovalTarget, TARGET_KINDS, type TargetKind } from '../../src/moderation/removal-statements.ts'
import { COMMON_HELP, defineCommands } from '../support/command.ts'
import { CommandError } from '../support/wrangler.ts'
import {
  findDocument,
  listDocuments,
  parseLimit,
  parseReason,
  readText,
  removeAllDocuments,
  removeDocument,
  toReadable,
} from './moderation.ts'

const HELP = `Inspects and removes documents.

Usage: npm run admin -- documents COMMAND [options]

  show ID [--content]         show a document's details, its reports and its removal; with --content, also
                              its content, unless it's encrypted
  remove ID --reason TEXT     remove a document for good; its creator sees the reason
  remove-all --reason TEXT    remove all documents of an account (--account NAME), of an address or
                              a range (--address RANGE), or with the same text (--content-hash SHA256)
  list --creator NAME         list the documents of an account, newest first
  list --reported             list reported documents, most recently reported first

Options:

  --allow-again        let people share the removed texts again; without it, they are blocked
  --limit N            list at most N documents (default 50)
${COMMON_HELP}`

/** Escapes characters that are invisible or that control a terminal, because documents may contain any. */
const toPrintable = (text: string): string =>
  text.replaceAll(
    /(?!\n|\t|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

const toLine = (facts: object): string => toPrintable(JSON.stringify(facts))

/** Returns which documents `remove-all` is about. Throws a CommandError unless exactly one option says so. */
function parseTarget(values: Partial<Record<TargetKind, string | undefined>>): RemovalTarget {
  const given = TARGET_KINDS.flatMap((kind) => {
    const value = values[kind]
    return value === undefined ? [] : [{ kind, value }]
  })
  const [target] = given
  if (target && given.length === 1) return target
  throw new CommandError(
    '"remove-all" needs one of --account NAME, --address RANGE and --content-hash SHA256.',
  )
}

export const documentCommands = defineCommands({
  name: 'documents',
  help: HELP,
  options: {
    content: { type: 'boolean', default: false },
    reason: { type: 'string' },
    creator: { type: 'string' },
    reported: { type: 'boolean', default: false },
    limit: { type: 'string', default: '50' },
    account: { type: 'string' },
    address: { type: 'string' },
    'content-hash': { type: 'string' },
    'allow-again': { type: 'boolean', default: false },
  },
  commands: {
    show: async ({ values, storage, operand, print }) => {
      const found = await findDocument(storage, operand('document id'))
      const content = values.content ? await readText(storage, found) : null
      const document = found.document && toReadable(found.document)
      const reports = found.reports.map(toReadable)
      const removal = found.removal && toReadable(found.removal)
      const lines = [
        ...(document ? [`document ${toLine(document)}`] : []),
        ...reports.map((report) => `report ${toLine(report)}`),
        ...(removal ? [`removal ${toLine(removal)}`] : []),
        ...(content === null ? [] : ['', toPrintable(content)]),
      ]
      print({ document, reports, removal, ...(content !== null && { content }) }, lines.join('\n'))
    },
    remove: async ({ values, storage, operand, print }) => {
      const id = operand('document id')
      const options = { reason: parseReason('remove', values.reason), blockContent: !values['allow-again'] }
      const removal = toReadable(await removeDocument(storage, id, options))
      print({ removal }, `Removed ${id}. The next cleanup deletes its content.`)
    },
    'remove-all': async ({ values, storage, noOperands, print }) => {
      noOperands()
      const { account, address, 'content-hash': content } = values
      const wanted = parseTarget({ account, address, content })
      const options = {
        reason: parseReason('remove-all', values.reason),
        blockContent: !values['allow-again'],
      }
      const { target, removed } = await removeAllDocuments(storage, wanted, options)
      print(
        { ...target, removed },
        `Removed documents of ${target.kind} ${target.value}: ${removed}. The next cleanup deletes their content.`,
      )
    },
    list: async ({ values: { creator = null, reported, limit }, storage, noOperands, print }) => {
      noOperands()
      if (creator === null && !reported) {
        throw new CommandError('"list" needs --creator NAME, --reported, or both.')
      }
      const documents = await listDocuments(storage, { creator, reported, limit: parseLimit(limit) })
      const listed = documents.map(toReadable)
      print({ documents: listed }, listed.map(toLine).join('\n') || 'No documents found.')
    },
  },
})
