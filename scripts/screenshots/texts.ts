export const CODE = `import { customAlphabet } from 'nanoid'

/** Digits and letters without vowels and look-alikes: no id ever spells a word. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ'

export interface Link {
  readonly id: string
  readonly expires: Date | null
}

export function draw(length: number): string {
  if (!Number.isInteger(length) || length < 4) {
    throw new RangeError(\`a link has at least 4 characters, not \${length}\`)
  }
  return customAlphabet(ALPHABET, length)()
}
`

export const MARKDOWN = `# Notes of the meeting

Everybody was there, and *nobody* was late.

## What we decided

- The release goes out **on Tuesday**.
- [The plan](https://example.org/plan) stays as it is.
- \`npm test\` runs before anything else.

> What is written down is not forgotten.

| Task        | Who |
| ----------- | --- |
| Write it    | Ada |
| Read it     | Kim |
`

export const LONG_LINES = `${Array.from({ length: 24 }, (_, line) =>
  JSON.stringify({
    line: line + 1,
    message: 'a line that is much longer than the widest of windows, as logs have them '
      .repeat(line % 3 ? 1 : 4)
      .trim(),
  }),
).join('\n')}
`
