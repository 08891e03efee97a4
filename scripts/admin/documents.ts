import { type RemovalTarget, TARGET_KINDS, type TargetKind } from '../../src/moderation/removal-statements.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import type { Target } from '../support/bindings.ts'
import { COMMON_HELP, defineCommands } from '../support/command.ts'
import { readServiceConfig } from '../support/config.ts'
import { CommandError } from '../support/wrangler.ts'
import {
  findDocument,
  listDocuments,
  parseLimit,
  parseReason,
  parseTime,
  previewRemoval,
  readText,
  removeAllDocuments,
  removeDocument,
  restoreDocument,
  toReadable,
} from './moderation.ts'

const HELP = `Inspects, removes and restores documents.

Usage: npm run admin -- documents COMMAND [options]

  show ID [--content]         show a document's details, its reports and its removal; with --content, also
                              its content, unless it's encrypted
  list FILTER...              list documents, newest first; with --reported, most recently reported first
  remove ID --reason TEXT     remove a document: nobody can read it any more; its creator sees the reason
  restore ID                  bring a removed document back, without its earlier versions and reports
  remove-all --reason TEXT    remove all documents of an account (--account NAME), of an address or
                              a range (--address RANGE), or with the same text (--content-hash SHA256)

Filters of list, of which it needs at least one:

  --creator NAME       documents of an account
  --reported           reported documents
  --since TIME         created at this time or later: 2026-11-20, 2026-11-20T12:00 (UTC), or 36h or 7d ago
  --until TIME         created before this time
  --network RANGE      created from an address or a range, without an account, in the last 30 days
  --text TEXT          whose title contains this, in any case; content isn't searched

Options:

  --purge              delete what is removed for good. Otherwise it can be restored for REMOVAL_DAYS, but not
                       longer than until it would have expired
  --dry-run            with remove-all: show what it would remove, and change nothing
  --allow-again        let people share the removed texts again; without it, they are blocked
  --limit N            list at most N documents (default 50)
${COMMON_HELP}
The audit log records who looked at what. Lists without --creator and --reported read the whole table.
`

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

/** Returns for how many milliseconds a removed document can be restored. */
const getKeepMs = (purge: boolean, target: Target): number =>
  purge ? 0 : readServiceConfig(target).removalDays * DAY_MS

/** Returns the sentence that follows the message about a removal. */
const describeKept = (keepMs: number, what: 'it' | 'them'): string =>
  keepMs === 0
    ? `The next cleanup deletes ${what === 'it' ? 'its' : 'their'} content.`
    : `For ${keepMs / DAY_MS} days, "documents restore ID" brings ${what} back.`

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
    purge: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    since: { type: 'string' },
    until: { type: 'string' },
    network: { type: 'string' },
    text: { type: 'string' },
  },
  commands: {
    show: async ({ values, storage, operand, print }) => {
      const as = values.content ? 'text.read' : 'document.view'
      const found = await findDocument(storage, operand('document id'), as)
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
    remove: async ({ values, target, storage, operand, printOnceHidden }) => {
      const id = operand('document id')
      const keepMs = getKeepMs(values.purge, target)
      const reason = parseReason('remove', values.reason)
      const options = { reason, blockContent: !values['allow-again'], keepMs }
      const removal = toReadable(await removeDocument(storage, id, options))
      await printOnceHidden({ removal }, `Removed ${id}. ${describeKept(keepMs, 'it')}`)
    },
    restore: async ({ storage, operand, print }) => {
      const id = operand('document id')
      await restoreDocument(storage, id)
      print({ id, restored: true }, `Restored ${id}. Its earlier versions and reports are gone.`)
    },
    'remove-all': async ({ values, target: service, storage, noOperands, print, printOnceHidden }) => {
      noOperands()
      const { account, address, 'content-hash': content } = values
      const wanted = parseTarget({ account, address, content })
      if (values['dry-run']) {
        const { target, documents, bytes, rows } = await previewRemoval(
          storage,
          wanted,
          parseLimit(values.limit),
        )
        const listed = rows.map(toReadable)
        const lines = [
          `Would remove documents of ${target.kind} ${target.value}: ${documents}, with ${bytes} bytes. Nothing has changed.`,
          ...listed.map(toLine),
          ...(documents > listed.length ? [`and ${documents - listed.length} more`] : []),
        ]
        print({ ...target, would_remove: documents, bytes, documents: listed }, lines.join('\n'))
        return
      }
      const keepMs = getKeepMs(values.purge, service)
      const options = {
        reason: parseReason('remove-all', values.reason),
        blockContent: !values['allow-again'],
        keepMs,
      }
      const { target, removed } = await removeAllDocuments(storage, wanted, options)
      await printOnceHidden(
        { ...target, removed },
        `Removed documents of ${target.kind} ${target.value}: ${removed}. ${describeKept(keepMs, 'them')}`,
      )
    },
    list: async ({ values, storage, noOperands, print }) => {
      noOperands()
      const { creator = null, network = null, reported, text = null } = values
      const time = (option: 'since' | 'until') =>
        values[option] === undefined ? null : parseTime(option, values[option])
      const filter = { creator, reported, since: time('since'), until: time('until'), network, text }
      if (Object.values(filter).every((value) => value === null || value === false)) {
        throw new CommandError('"list" needs a filter, such as --creator NAME or --since 24h. See --help.')
      }
      const documents = await listDocuments(storage, { ...filter, limit: parseLimit(values.limit) })
      const listed = documents.map(toReadable)
      print({ documents: listed }, listed.map(toLine).join('\n') || 'No documents found.')
    },
  },
})
