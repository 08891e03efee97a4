import { join } from 'node:path'
import { ROOT } from '../support/wrangler.ts'

const STAND_INS = join(ROOT, 'src/accounts/sign-in')

/** Parts of better-auth that Regent doesn't use, and the files that stand in for them. */
export const ALIASES: Readonly<Record<string, string>> = {
  '@better-auth/core/social-providers': join(STAND_INS, 'no-social-providers.ts'),
  '@better-auth/memory-adapter': join(STAND_INS, 'no-memory-adapter.ts'),
  '@better-auth/utils/password': join(STAND_INS, 'no-passwords.ts'),
  '@better-auth/telemetry': join(STAND_INS, 'no-telemetry.ts'),
  '@noble/ciphers/chacha.js': join(STAND_INS, 'no-ciphers.ts'),
}
