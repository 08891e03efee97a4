import { describe, expect, it } from 'vitest'
import { documentCommands } from '../../scripts/admin/documents.ts'
import { emptyStorage, runner } from './support/commands.ts'

const documents = runner(documentCommands, emptyStorage())

describe('npm run admin -- documents', () => {
  it.each([
    [['show', 'xxxxxxxx'], 'No document has this id: xxxxxxxx'],
    [['show'], '"show" takes one document id. See: npm run admin -- documents --help'],
    [['remove', 'xxxxxxxx', '--reason', 'x'], 'No document has this id: xxxxxxxx'],
    [['remove', 'xxxxxxxx'], '"remove" needs --reason TEXT.'],
    [['remove', 'xxxxxxxx', '--reason', ' '], '"remove" needs --reason TEXT.'],
    [['remove', 'xxxxxxxx', '--reason', 'x'.repeat(501)], 'A reason can have at most 500 characters.'],
    [['list'], '"list" needs --creator NAME, --reported, or both.'],
    [['list', '--reported', '--limit', '0'], '--limit must be a whole number from 1 to 1000.'],
    [['list', '--creator', 'nobody'], 'No account has this username: nobody'],
    [['frobnicate'], 'Unknown command "frobnicate". See: npm run admin -- documents --help'],
  ])('refuses %j with one line', async (args, line) => {
    expect(await documents(...args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
  })

  it('says so when nothing is listed', async () => {
    expect(await documents('list', '--reported')).toEqual({
      code: 0,
      stdout: 'No documents found.\n',
      stderr: '',
    })
    expect(await documents('list', '--reported', '--json')).toMatchObject({ stdout: '{"documents":[]}\n' })
  })
})
