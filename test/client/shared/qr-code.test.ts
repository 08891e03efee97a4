import { describe, expect, it } from 'vitest'
import { toModulePath } from '../../../src/client/shared/qr-code.ts'

describe('toModulePath', () => {
  it('draws one square for every dark module', () => {
    const path = toModulePath([
      [true, false],
      [false, true],
    ])
    expect(path).toBe('M0 0h1v1h-1zM1 1h1v1h-1z')
  })
})
