import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

it('one statement creates accounts, and checks SIGN_UP', () => {
  const creating = ['src', 'server']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.generated.ts'))
    .filter((path) => /INSERT\s+(?:OR\s+\w+\s+)?INTO\s+users\b/i.test(readFileSync(join(ROOT, path), 'utf8')))
  // The demo creates its own account before anybody can reach it.
  expect(creating).toEqual(['src/accounts/create-user.ts', 'server/demo.ts'])
})
