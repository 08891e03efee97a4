import { Hono } from 'hono'
import { device, manage } from '../device/device.tsx'
import { embed, embedCode, oEmbed } from '../embed/embed.tsx'
import type { AppEnv } from '../env.ts'
import { explore, feeds } from '../explore/explore.ts'
import { history } from '../history/history.ts'
import { rejectOtherMethods } from '../http/answers.ts'
import { moderation } from '../moderation/moderation.tsx'
import { reportPages } from '../moderation/report.tsx'
import { pictures } from '../previews/link-preview.tsx'
import { about, wellKnown } from './about/about.tsx'
import { account, usernameSuggestions } from './account/account.tsx'
import { emailChange } from './account/email-change.tsx'
import { icons } from './account/pictures.tsx'
import { deletion } from './documents/delete.tsx'
import { documentPages, formerAddress } from './documents/document.tsx'
import { rawRoutes } from './documents/raw.tsx'
import { edit } from './editing/edit.tsx'
import { editors } from './editing/editors.tsx'
import { home } from './home/home.tsx'
import { themes } from './layout/theme.ts'
import { yourDocuments } from './lists/your-documents.tsx'
import { signIn } from './sign-in/sign-in.tsx'

/** The pages of the site. */
export const site = new Hono<AppEnv>()
  .route('/', rejectOtherMethods(home))
  .route('/', rejectOtherMethods(about))
  .route('/', rejectOtherMethods(wellKnown))
  .route('/', rejectOtherMethods(explore))
  .route('/', rejectOtherMethods(feeds))
  .route('/r', rawRoutes)
  .route('/raw', rawRoutes)
  .route('/p', rejectOtherMethods(formerAddress))
  .route('/icons', rejectOtherMethods(icons))
  .route('/account/usernames', rejectOtherMethods(usernameSuggestions))
  .route('/', rejectOtherMethods(signIn))
  .route('/account', rejectOtherMethods(account))
  .route('/account/email', rejectOtherMethods(emailChange))
  .route('/moderation', rejectOtherMethods(moderation))
  .route('/', rejectOtherMethods(reportPages))
  .route('/account/documents', rejectOtherMethods(yourDocuments))
  .route('/theme', rejectOtherMethods(themes))
  .route('/device', rejectOtherMethods(device))
  .route('/', rejectOtherMethods(oEmbed))
  // These paths start with an id, which could be any word, so they come after all paths with a fixed start.
  .route('/', rejectOtherMethods(pictures))
  .route('/', rejectOtherMethods(edit))
  .route('/', rejectOtherMethods(editors))
  .route('/', rejectOtherMethods(deletion))
  .route('/', rejectOtherMethods(manage))
  .route('/', rejectOtherMethods(embed))
  .route('/', rejectOtherMethods(embedCode))
  .route('/', rejectOtherMethods(history))

/** The pages of documents. They come last, because almost any path could be a document's address. */
export const documentSite = rejectOtherMethods(documentPages)
