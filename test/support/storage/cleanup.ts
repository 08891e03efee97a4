import { env } from 'cloudflare:workers'

/** Lets the next run search for orphaned content, as a day after the last search. */
export const forgetSearch = () => env.DB.prepare('UPDATE sweep_progress SET searched_at = NULL').run()
