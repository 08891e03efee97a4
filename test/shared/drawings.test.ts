import { describe, expect, it } from 'vitest'
import { isDrawing } from '../../src/shared/drawings.ts'

describe('a drawing', () => {
  it.each([
    ['a QR code', '█▀▀▀▀▀█ ▄▀ █▀▀▀▀▀█\n█ ███ █ ▀▄ █ ███ █\n█ ▀▀▀ █ █▄ █ ▀▀▀ █\n'],
    ['a QR code in colours', '\x1B[47m    \x1B[40m  \x1B[0m\n\x1B[47m  \x1B[0m\n\x1B[48;5;15m  \x1B[0m\n'],
    ['a box', '┌──────┐\n│ text │\n└──────┘\n'],
    ['Braille', '⠀⣠⣾⣿\n⣿⣿⣿⣿\n⠈⠙⠛⠋\n'],
    ['a tree of files', 'src\n├── a.ts\n├── b.ts\n└── c.ts\n'],
    ['neofetch', 'logo\nlogo\n\x1B[19A\x1B[9999999D\x1B[41Cuser@host\n'],
  ])('is %s', (_, text) => {
    expect(isDrawing(text)).toBe(true)
  })

  it.each([
    ['code with ruled comments', `// ──────── Part\n${'const a = 1\n'.repeat(10)}`],
    ['coloured output', '\x1B[31mred\x1B[0m\n\x1B[1;32mgreen\x1B[0m text\n\x1B[41merror\x1B[0m\n'],
    ['progress', '\x1B[2A 10%\n\x1B[2A 20%\n'],
    ['prose', 'A line.\nAnd — another.\n'],
    ['nothing', ''],
  ])('isn’t %s', (_, text) => {
    expect(isDrawing(text)).toBe(false)
  })
})
