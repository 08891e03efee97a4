import { describe, expect, it } from 'vitest'
import { Icon } from '../../../src/site/components/icons.tsx'

describe('an icon', () => {
  it('is inline SVG that screen readers skip', () => {
    expect(String(<Icon name="copy" />)).toMatch(
      /^<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><rect [^>]*\/>.*<\/svg>$/,
    )
  })
})
