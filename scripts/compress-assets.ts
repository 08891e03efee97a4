import { finishBuild } from '../server/build.ts'
import { runScript } from './support/script.ts'

/** Compresses the files of the site for the server of one machine. Cloudflare does that itself. */
await runScript(finishBuild)
