import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { rejectOtherMethods } from '../http/answers/allowed-methods.ts'
import { about } from './about/about.tsx'
import { wellKnown } from './about/well-known.ts'
import { account } from './account/account.ts'
import { emailChange } from './account/email/email-change.tsx'
import { icons } from './account/icons.tsx'
import { usernameSuggestions } from './account/username-suggestions.ts'
import { device } from './device/device.tsx'
import { manage } from './device/manage.tsx'
import { deletion } from './documents/delete/delete.tsx'
import { documentPages } from './documents/document.tsx'
import { formerAddress } from './documents/former-address.ts'
import { rawRoutes } from './documents/raw/raw-routes.ts'
import { edit } from './editing/edit.ts'
import { editors } from './editing/editors.tsx'
import { embed, embedCode } from './embed/embed.ts'
import { oEmbed } from './embed/oembed.ts'
import { explore, feeds } from './explore/explore.ts'
import { history } from './history/history.tsx'
import { home } from './home/home.tsx'
import { themes } from './layout/theme.ts'
import { yourDocuments } from './lists/your-documents.tsx'
import { moderation } from './moderation/moderation.tsx'
import { reportPages } from './moderation/report.tsx'
import { pictures } from './previews/pictures.ts'
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
