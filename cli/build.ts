import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { formatManual } from './manual.ts'

// Compiles the package into dist: a JavaScript file and a declaration file for each source, this package's own and those
// of src/shared that it imports. Writes the manual. `npm ci` in a clone, `npm run build` and `npm pack` run this.

const DIST = join(import.meta.dirname, 'dist')
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))

rmSync(DIST, { recursive: true, force: true })
execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
})

// The compiler rewrites `./file.ts` to `./file.js` in JavaScript, but not in declarations.
for (const file of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const path = join(DIST, file)
  const declarations = readFileSync(path, 'utf8')
  writeFileSync(path, declarations.replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
mkdirSync(join(import.meta.dirname, 'man'), { recursive: true })
writeFileSync(join(import.meta.dirname, 'man/regent.1'), formatManual(version))
