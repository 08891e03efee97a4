import { ensureBuilt, finishBuild } from '../server/build.ts'
import { runScript } from './support/script.ts'

/**
 * Prepares what the server of one machine needs besides the Worker and the site. With `--all`, which `npm start` uses, it
 * builds these too. Does nothing if that would change nothing.
 */
await runScript(async () => {
  if (process.argv.includes('--all')) await ensureBuilt((text) => void process.stderr.write(text))
  else await finishBuild()
})
