import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { account } from './account/account.tsx'
import { emailChange } from './account/email-change.tsx'
import { icons } from './account/icons.tsx'
import { deletion } from './documents/delete.tsx'
import { documentPages } from './documents/document.tsx'
import { raw } from './documents/raw.tsx'
import { edit } from './editing/edit.tsx'
import { editors } from './editing/editors.tsx'
import { home } from './editing/home.tsx'
import { themes } from './layout/theme.ts'
import { yourDocuments } from './lists/your-documents.tsx'
import { moderation } from './moderation/moderation.tsx'
import { reportPages } from './moderation/report.tsx'
import { signIn } from './sign-in/sign-in.tsx'
import { usernames } from './sign-in/username-check.ts'

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
