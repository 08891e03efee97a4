import { describe, expect, it } from 'vitest'
import { parseExpiry } from '../../cli/src/commands/create.ts'
import { parseArguments, suggestCommand } from '../../cli/src/options.ts'
import { isUnprotected, parseServer, parseTarget } from '../../cli/src/session.ts'
import { buildPasswordLink } from '../../src/shared/password-link.ts'

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
    [['cat', 'abcdefgh'], 'get', ['abcdefgh']],
    [['list'], 'ls', []],
    [['delete', 'abcdefgh'], 'rm', ['abcdefgh']],
    [['--', 'list'], 'create', ['list']],
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

  it('takes version for the option', () => {
    expect(parseArguments(['version'])).toMatchObject({ values: { version: true } })
  })

  it.each([
    ['gte', 'get'],
    ['gett', 'get'],
    ['ge', 'get'],
    ['hsitory', 'history'],
    ['logn', 'login'],
    ['notes.txt', null],
    ['x', null],
  ])('takes %s for %s', (typed, command) => {
    expect(suggestCommand(typed)).toBe(command)
  })

  it('shows the help of a command without its operands', () => {
    expect(parseArguments(['get', '--help'])).toMatchObject({ command: 'get', values: { help: true } })
  })
})

const SITE = 'https://paste.example.org'

describe('parseTarget', () => {
  it('takes an id', () => {
    expect(parseTarget('7hBqKz4n')).toEqual({ server: null, id: '7hBqKz4n', password: null, file: null })
  })

  it.each([
    ['7hBqKz4n/src/main.py', 'src/main.py'],
    [`${SITE}/7hBqKz4n/src/a%20b.py`, 'src/a b.py'],
    [`${SITE}/r/7hBqKz4n/edit`, 'edit'],
    [`${SITE}/7hBqKz4n?file=history#L3`, 'history'],
  ])('takes one file of %s', (typed, file) => {
    expect(parseTarget(typed)).toMatchObject({ id: '7hBqKz4n', file })
  })

  it.each([
    '/7hBqKz4n',
    '/r/7hBqKz4n',
    '/raw/7hBqKz4n',
    '/p/7hBqKz4n',
    '/7hBqKz4n.py',
    '/7hBqKz4n/edit',
    '/7hBqKz4n#L3',
  ])('takes the link %s', (path) => {
    expect(parseTarget(SITE + path)).toEqual({ server: SITE, id: '7hBqKz4n', password: null, file: null })
  })

  it('takes the password of a link', () => {
    const password = 'pä#ss%wörd 😀'
    expect(parseTarget(buildPasswordLink(`${SITE}/7hBqKz4n`, password)).password).toBe(password)
  })

  it.each([
    '',
    'a',
    'not an id',
    'paste.example.org/7hBqKz4n',
    `${SITE}/`,
    `${SITE}/r/`,
    'ftp://x/7hBqKz4n',
    '../x',
  ])('refuses %j', (typed) => {
    expect(() => parseTarget(typed)).toThrow('Name a document by its id or link')
  })
})

describe('parseServer', () => {
  it.each([
    ['https://paste.example.org/', 'https://paste.example.org'],
    ['HTTPS://Paste.Example.org/#z', 'https://paste.example.org'],
    ['paste.example.org', 'https://paste.example.org'],
    ['paste.example.org:8443', 'https://paste.example.org:8443'],
    ['localhost:8787', 'http://localhost:8787'],
    ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['[::1]:8787', 'http://[::1]:8787'],
  ])('reads %s as %s', (typed, server) => {
    expect(parseServer(typed)).toBe(server)
  })

  it('refuses an invalid address, and a path', () => {
    expect(() => parseServer('a b')).toThrow('"a b" isn’t the address of a server')
    for (const typed of [
      'https://paste.example.org/paste',
      'paste.example.org/?a',
      'https://paste.example.org/v1/',
    ])
      expect(() => parseServer(typed)).toThrow('write https://paste.example.org,')
  })

  it('knows which servers others on the network can listen to', () => {
    const servers = [
      'http://paste.example.org',
      'https://paste.example.org',
      'http://localhost:8787',
      'http://[::1]',
    ]
    expect(servers.map(isUnprotected)).toEqual([true, false, false, false])
  })
})

describe('parseExpiry', () => {
  it.each([
    ['2d', 2],
    ['12h', 0.5],
    ['never', null],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00Z'],
    ['2027-01-31T12:00+0100', '2027-01-31T12:00+0100'],
  ])('reads %s as %j', (typed, expected) => {
    expect(parseExpiry(typed)).toBe(expected)
  })

  it('takes a date as its end in this time zone', () => {
    expect(parseExpiry('2027-01-31')).toBe(new Date(2027, 0, 31, 23, 59, 59).toISOString())
  })

  it.each(['', '2', '0d', 'tomorrow', '2027-13-45', '-1d'])('refuses %j', (typed) => {
    expect(() => parseExpiry(typed)).toThrow('isn’t a duration such as')
  })
})
