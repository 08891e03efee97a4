import { Hono } from 'hono'
import { serialize } from 'hono/utils/cookie'
import { device, manage } from '../device/device.tsx'
import { embed, embedCode, oEmbed } from '../embed/embed.tsx'
import type { AppEnv } from '../env.ts'
import { invalidBody, issueAt } from '../errors.ts'
import { explore, feeds } from '../explore/explore.ts'
import { history } from '../history/history.ts'
import { rejectOtherMethods } from '../http/answers.ts'
import { limitBody } from '../http/bodies.ts'
import { requireThisSite } from '../http/identity.ts'
import { moderation, reportPages } from '../moderation/moderation.ts'
import { pictures } from '../previews/link-preview.tsx'
import { DAY_SECONDS } from '../shared/instant.ts'
import { THEMES, type ThemeName } from '../shared/themes.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import { returnPath, seeOther } from '../ui/page.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields } from '../ui/submitted-form.ts'
import { about, wellKnown } from './about/about.tsx'
import { account, icons, usernameSuggestions } from './account/account.tsx'
import { deletion, documentPages, formerAddress } from './documents/document.tsx'
import { rawRoutes } from './documents/raw.ts'
import { edit, editors } from './editing/edit.tsx'
import { home } from './home/home.tsx'
import { yourDocuments } from './lists/your-documents.ts'
import { signIn } from './sign-in/sign-in.tsx'

const isTheme = (candidate: string | undefined): candidate is ThemeName =>
  THEMES.some(({ name }) => name === candidate)

const YEAR_SECONDS = 365 * DAY_SECONDS

/** `system` deletes the cookie. Scripts change it too, so it isn't HttpOnly. */
const themeCookie = (siteUrl: string, theme: ThemeName): string =>
  serialize('theme', theme === 'system' ? '' : theme, {
    path: '/',
    sameSite: 'Lax',
    secure: siteUrl.startsWith('https:'),
    maxAge: theme === 'system' ? 0 : YEAR_SECONDS,
  })

const themes = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .post('/', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    const fields = await readFields(c)
    const theme = fields.get('theme')
    if (!isTheme(theme)) throw invalidBody(issueAt(['theme'], 'Unknown theme'))
    return seeOther(c, returnPath(fields.get('return')), [themeCookie(c.var.siteUrl, theme)])
  })

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

/** Last, because almost any path could be a document's address. */
export const documentSite = rejectOtherMethods(documentPages)
