import { MAX_REASON_CHARACTERS } from '../src/moderation/removal-statements.ts'
import { COMMON_HELP, defineCommands } from './command.ts'
import { findDocument, listDocuments, readText, removeDocument, toReadable } from './moderation.ts'
import { CommandError, runScript } from './wrangler.ts'

const HELP = `Inspects and removes documents.

Usage: npm run documents -- COMMAND [options]

  show ID [--content]         show a document's details, its reports and its removal; with --content, also
                              its content, unless it's encrypted
  remove ID --reason TEXT     remove a document for good; its creator sees the reason
  list --creator NAME         list the documents of an account, newest first
  list --reported             list reported documents, most recently reported first

Options:

  --limit N            list at most N documents (default 50)
${COMMON_HELP}`

/** Escapes characters that are invisible or that control a terminal, because documents may contain any. */
const toPrintable = (text: string): string =>
  text.replaceAll(
    /(?!\n|\t|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

const toLine = (facts: object): string => toPrintable(JSON.stringify(facts))

function parseReason(text: string | undefined): string {
  const reason = text?.trim() ?? ''
  if (reason === '') throw new CommandError('"remove" needs --reason TEXT.')
  if ([...reason].length > MAX_REASON_CHARACTERS) {
    throw new CommandError(`A reason can have at most ${MAX_REASON_CHARACTERS} characters.`)
  }
  return reason
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    throw new CommandError('--limit must be a whole number from 1 to 1000.')
  }
  return limit
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
      const removal = toReadable(await removeDocument(storage, id, parseReason(values.reason)))
      print({ removal }, `Removed ${id}. The next cleanup deletes its content.`)
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

if (import.meta.main) await runScript(() => documentCommands(process.argv.slice(2)))
