import * as launcher from '../../../scripts/support/launch.ts'
import { saveAddress } from './database.ts'

export { freePort } from '../../../scripts/support/launch.ts'
export { ROOT } from '../../../scripts/support/wrangler.ts'

/** Starts the service, and remembers where it is for the commands that open its database. */
export async function launchService(options: launcher.LaunchOptions) {
  // The tests query its database through wrangler's local explorer.
  const service = await launcher.launchService({ ...options, env: { X_LOCAL_EXPLORER: 'true' } })
  saveAddress(options.folder, service.base)
  return service
}
