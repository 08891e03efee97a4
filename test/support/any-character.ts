import fc from 'fast-check'

/** Any character but a lone surrogate. Unlike fast-check's unit `binary`, it needs no table of all characters. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))
