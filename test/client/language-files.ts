import { beforeEach, vi } from 'vitest'
import { LANGUAGE_FILES } from '../../src/ui/assets.generated.ts'

/** Lets the tests of a file load languages as browsers do, from the files that the build wrote. */
export function useLanguageFiles(): void {
  beforeEach(() => {
    vi.stubGlobal('LANGUAGE_FILES', new URL(`../../dist/client${LANGUAGE_FILES}`, import.meta.url).href)
  })
}
