import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../cli/src/options.ts'

describe('parseArguments', () => {
  it.each([
    [[], 'create', []],
    [['a.txt', 'b.txt'], 'create', ['a.txt', 'b.txt']],
    [['-'], 'create', ['-']],
    [['get', 'abcdefgh'], 'get', ['abcdefgh']],
    [['--server', 'localhost:1', 'get', 'abcdefgh'], 'get', ['abcdefgh']],
    [['a.txt', 'get'], 'create', ['a.txt', 'get']],
    [['./get'], 'create', ['./get']],
    [['--', 'get'], 'create', ['get']],
    [['--', '--odd-name'], 'create', ['--odd-name']],
  ])('reads %j as the command %s with %j', (args, command, operands) => {
    expect(parseArguments(args)).toMatchObject({ command, operands })
  })

  it.each([
    ['an unknown option', ['--foo'], "Unknown option '--foo'"],
    ['an option without its value', ['--expires'], "Option '-x, --expires <value>' argument missing"],
    ['an option of another command', ['get', 'abcdefgh', '--burn'], '"regent get" doesn’t take --burn'],
    [
      'an option of a command when sharing',
      ['--limit', '3', 'a.txt'],
      'Creating a document doesn’t take --limit',
    ],
    ['a missing operand', ['get'], '"regent get" takes the id or link of one document'],
    [
      'too many operands',
      ['get', 'abcdefgh', 'bcdfghjk'],
      '"regent get" takes the id or link of one document',
    ],
    ['a password in the arguments', ['--password', 'x'], "Unknown option '--password'"],
  ])('refuses %s', (_, args, message) => {
    expect(() => parseArguments(args)).toThrow(message)
  })

  it('shows the help of a command without its operands', () => {
    expect(parseArguments(['get', '--help'])).toMatchObject({ command: 'get', values: { help: true } })
  })
})
