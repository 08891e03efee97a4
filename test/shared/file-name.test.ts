import { describe, expect, it } from 'vitest'
import { formatFileName, getFileName } from '../../src/shared/derive-title.ts'

const nameOf = (givenTitle: string | null, language = 'plaintext', derived: string | null = null): string =>
  getFileName({ id: 'Y5gz7PTg', language, title: givenTitle ?? derived, givenTitle })

describe('the name of a document’s file', () => {
  it.each([
    ['main.py', 'main.py'],
    ['Makefile', 'Makefile'],
    ['README.md', 'README.md'],
    ['key.pem', 'key.pem'],
    ['LICENSE', 'LICENSE'],
    ['.bashrc', '.bashrc'],
    ['.env.local', '.env.local'],
    ['Dockerfile', 'Dockerfile'],
    ['src/main.rs', 'main.rs'],
    ['C:\\temp\\notes.txt', 'notes.txt'],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['my notes (2).txt', 'my notes (2).txt'],
    ['übung.tex', 'übung.tex'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['what?.txt', 'what-.txt'],
    ['a<b>:"|*.c', 'a-b-.c'],
    ['con.txt', '_con.txt'],
    ['AUX.c', '_AUX.c'],
    ['bad\u202Egpj.exe', 'bad-gpj.exe'],
  ])('%j is %j', (title, name) => {
    expect(nameOf(title)).toBe(name)
  })

  it.each([
    ['Version 2.0', 'Version-2-0.txt'],
    ['Notes for Mr. Smith', 'Notes-for-Mr-Smith.txt'],
    ['Hello.', 'Hello.txt'],
    ['...', 'Y5gz7PTg.txt'],
    ['con', 'Y5gz7PTg.txt'],
  ])('isn’t the title %j, which names no file', (title, name) => {
    expect(nameOf(title)).toBe(name)
  })

  it('is the id where only the length names the text, or where the text is code', () => {
    expect(nameOf(null, 'plaintext', '60 lines')).toBe('Y5gz7PTg.txt')
    expect(nameOf(null, 'python', 'Adds numbers')).toBe('Y5gz7PTg.py')
    expect(nameOf(null, 'markdown', 'main.py')).toBe('main-py.md')
  })

  it('has at most 255 bytes, and keeps its extension', () => {
    const name = nameOf(`${'😀'.repeat(150)}.py`)
    expect(new TextEncoder().encode(name).length).toBeLessThan(256)
    expect(name).toMatch(/^(😀)+\.py$/u)
  })

  it.each([
    ['main.py', 'filename="main.py"'],
    ['my notes.txt', 'filename="my notes.txt"'],
    ['übung.tex', `filename="_bung.tex"; filename*=UTF-8''%C3%BCbung.tex`],
    ["it's 100%.txt", `filename="it's 100_.txt"; filename*=UTF-8''it%27s%20100%25.txt`],
  ])('%j is %s in a header', (name, header) => {
    expect(formatFileName(name)).toBe(header)
  })
})
