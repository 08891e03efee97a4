import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatNotice, isPermissive } from './licences/notice.ts'
import { listBundledPackages } from './licences/packages.ts'
import { CommandError, ROOT, runScript } from './support/wrangler.ts'

const HELP = `Writes the licences of the packages in the Worker, in the site's scripts and in its
fonts to THIRD_PARTY_LICENCES.txt, which the site publishes.

Usage: npm run licences [-- --check]

  --check              write nothing, and fail if the file is out of date
  --help               show this help
`

const FILE = 'THIRD_PARTY_LICENCES.txt'

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const packages = await listBundledPackages()
  const unusable = packages.filter(({ licence, text }) => !isPermissive(licence) || text === '')
  if (unusable.length > 0) {
    const names = unusable.map(({ name, licence }) => `${name} (${licence || 'no licence'})`)
    throw new CommandError(`These packages have no permissive licence, or not its text: ${names.join(', ')}`)
  }
  const notice = formatNotice(packages)
  if (!process.argv.includes('--check')) {
    await writeFile(join(ROOT, FILE), notice)
  } else if ((await readFile(join(ROOT, FILE), 'utf8').catch(() => '')) !== notice) {
    throw new CommandError(`${FILE} is out of date. Run: npm run licences`)
  }
  process.stdout.write(`${FILE} lists the ${packages.length} packages that Regent contains.\n`)
}

await runScript(main)
