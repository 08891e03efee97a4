import {
  addBlockStatements,
  BLOCK_FORMATS,
  type BlockKind,
  isBlockKind,
  parseBlockRule,
  removeBlockStatements,
} from '../../src/moderation/block-statements.ts'
import { COMMON_HELP, defineCommands } from '../support/command.ts'
import { inlineParameters, type StorageClient } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'
import { auditSql, getCommandActor, parseReason, toReadable } from './moderation.ts'

const HELP = `Manages the block lists. Blocks take effect at once.

Usage: npm run admin -- blocks COMMAND [options]

  add KIND:VALUE --reason TEXT   block something:
                                 address:192.0.2.0/24  an address range, IPv4 or IPv6
                                 domain:example.org    links to a domain and its subdomains
                                 content:SHA256        a text, by its hash (base64url or hexadecimal)
  remove KIND:VALUE              lift a block
  list                           list all blocks, newest first

To block an account, suspend it: npm run admin -- user suspend NAME

Options:

${COMMON_HELP}`

interface Rule {
  readonly kind: BlockKind
  readonly value: string
}

function parseRule(text: string): Rule {
  const [, kind = '', value = ''] = /^([a-z]+):(.+)$/.exec(text) ?? []
  if (isBlockKind(kind)) return { kind, value }
  throw new CommandError('A block starts with address:, domain: or content:.')
}

const by = () => ({ by: 'operator', actor: getCommandActor(), now: Date.now() })

async function add(storage: StorageClient, rule: Rule, reason: string): Promise<void> {
  const statements = addBlockStatements({ ...rule, reason, ...by() })
  if (statements === null) throw new CommandError(`A block of this kind must be ${BLOCK_FORMATS[rule.kind]}.`)
  await storage.execute(statements.map(inlineParameters).join('\n'))
}

/** Lifts a block. Throws a CommandError if there is none. */
async function remove(storage: StorageClient, { kind, value: text }: Rule): Promise<void> {
  const value = parseBlockRule(kind, text)?.value ?? text
  const exists = inlineParameters(['SELECT 1 FROM blocks WHERE kind = ?1 AND value = ?2', kind, value])
  const [found] = await storage.execute(exists)
  if (!found?.length) throw new CommandError(`This isn't blocked: ${kind}:${value}`)
  await storage.execute(
    removeBlockStatements({ kind, value, ...by() })
      .map(inlineParameters)
      .join('\n'),
  )
}

export const blockCommands = defineCommands({
  name: 'blocks',
  help: HELP,
  options: { reason: { type: 'string' } },
  commands: {
    add: async ({ values, storage, operand, print }) => {
      const rule = parseRule(operand('block'))
      await add(storage, rule, parseReason('add', values.reason))
      print({ ...rule, blocked: true }, `Blocked ${rule.kind}:${rule.value}.`)
    },
    remove: async ({ storage, operand, print }) => {
      const rule = parseRule(operand('block'))
      await remove(storage, rule)
      print({ ...rule, blocked: false }, `${rule.kind}:${rule.value} is no longer blocked.`)
    },
    list: async ({ storage, noOperands, print }) => {
      noOperands()
      const [rows = []] = await storage.execute(
        `SELECT kind, value, reason, created_by, created_at FROM blocks ORDER BY created_at DESC, kind, value;
        ${auditSql({ action: 'blocks.list' })}`,
      )
      const blocks = rows.map(toReadable)
      print({ blocks }, blocks.map((block) => JSON.stringify(block)).join('\n') || 'Nothing is blocked.')
    },
  },
})
