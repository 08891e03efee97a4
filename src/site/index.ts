import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { account } from './account.tsx'
import { deletion } from './delete.tsx'
import { documentPages } from './document.tsx'
import { edit } from './edit.tsx'
import { editors } from './editors.tsx'
import { emailChange } from './email-change.tsx'
import { home } from './home.tsx'
import { icons } from './icon.tsx'
import { moderation } from './moderation.tsx'
import { raw } from './raw.tsx'
import { reportPages } from './report.tsx'
import { signIn } from './sign-in.tsx'
import { themes } from './theme.ts'
import { usernames } from './usernames.ts'
import { yourDocuments } from './your-documents.tsx'

/** Everything that people look at. */
export const site = new Hono<AppEnv>()
  .route('/', home)
  .route('/r', raw)
  .route('/icons', icons)
  .route('/account/usernames', usernames)
  .route('/', signIn)
  .route('/account', account)
  .route('/account/email', emailChange)
  .route('/moderation', moderation)
  .route('/', reportPages)
  .route('/account/documents', yourDocuments)
  .route('/theme', themes)
  // Their addresses begin with an id, which may look like any word: what has a name of its own comes first.
  .route('/', edit)
  .route('/', editors)
  .route('/', deletion)
  .route('/', documentPages)
