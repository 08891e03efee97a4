import { parseArgs } from 'node:util'
import { MAX_REASON_CHARACTERS } from '../src/moderation/statements.ts'
import { COMMON_OPTIONS, onlyOf, sayAs, targetOf } from './command.ts'
import { findDocument, listDocuments, readable, readText, removeDocument } from './moderation.ts'
import { CommandError, runScript } from './wrangler.ts'

const HELP = `Documents of others, from the command line.

Usage: npm run documents -- COMMAND [options]

  show ID [--content]         all about a document but its text, its reports and its removal included;
                              with the text, if it is not encrypted
  remove ID --reason TEXT     remove a document for good; its creator reads the reason
  list --creator NAME         the documents of an account, the latest first
  list --reported             documents that were reported, the last reported first

  --limit N            list at most so many, else 50
  --remote             the deployed database; else the local one of "npm run dev"
  --persist-to DIR     a local database in another folder
  --json               print one JSON object and nothing else
`

/** What a terminal would act on, or nobody sees: the words of others must not write what they like there. */
const printable = (text: string): string =>
  text.replaceAll(
    /(?!\n|\t|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

const line = (facts: object): string => printable(JSON.stringify(facts))

function reasonOf(text: string | undefined): string {
  const reason = text?.trim() ?? ''
  if (reason === '') throw new CommandError('"remove" needs --reason TEXT.')
  if ([...reason].length > MAX_REASON_CHARACTERS) {
    throw new CommandError(`A reason has at most ${MAX_REASON_CHARACTERS} characters.`)
  }
  return reason
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    throw new CommandError('--limit is a whole number from 1 to 1000.')
  }
  return limit
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      content: { type: 'boolean', default: false },
      reason: { type: 'string' },
      creator: { type: 'string' },
      reported: { type: 'boolean', default: false },
      limit: { type: 'string', default: '50' },
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
  const operand = () => onlyOf(operands, `"${command}" takes one id. See: npm run documents -- --help`)

  switch (command) {
    case 'show': {
      const found = await findDocument(target, operand())
      const content = values.content ? await readText(target, found) : null
      const document = found.document && readable(found.document)
      const reports = found.reports.map(readable)
      const removal = found.removal && readable(found.removal)
      const lines = [
        ...(document ? [`document ${line(document)}`] : []),
        ...reports.map((report) => `report ${line(report)}`),
        ...(removal ? [`removal ${line(removal)}`] : []),
        ...(content === null ? [] : ['', printable(content)]),
      ]
      say({ document, reports, removal, ...(content !== null && { content }) }, lines.join('\n'))
      return
    }
    case 'remove': {
      const id = operand()
      const removal = readable(await removeDocument(target, id, reasonOf(values.reason)))
      say({ removal }, `${id} is removed. What KV holds of it goes with the next cleanup.`)
      return
    }
    case 'list': {
      const { creator = null, reported } = values
      if (operands.length > 0 || (creator === null && !reported)) {
        throw new CommandError('"list" takes --creator NAME, --reported, or both.')
      }
      const limit = limitOf(values.limit)
      const documents = (await listDocuments(target, { creator, reported, limit })).map(readable)
      say({ documents }, documents.map(line).join('\n') || 'There are none.')
      return
    }
    default:
      throw new CommandError(`There is no command "${command}". See: npm run documents -- --help`)
  }
}

await runScript(main)
