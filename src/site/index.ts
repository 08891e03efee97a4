import { Hono } from 'hono'
import { serialize } from 'hono/utils/cookie'
import type { AppEnv } from '../env.ts'
import { invalidBody, issueAt } from '../errors.ts'
import { rejectOtherMethods } from '../http/answers.ts'
import { limitBody } from '../http/bodies.ts'
import { requireThisSite } from '../http/identity.ts'
import { DAY_SECONDS } from '../shared/instant.ts'
import { THEMES, type ThemeName } from '../shared/themes.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import { returnPath, seeOther } from '../ui/page.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields } from '../ui/submitted-form.ts'
import { deletion, documentPages, formerAddress } from './documents/document.tsx'
import { rawRoutes } from './documents/raw.ts'

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
  .route('/r', rawRoutes)
  .route('/raw', rawRoutes)
  .route('/p', rejectOtherMethods(formerAddress))
  .route('/theme', rejectOtherMethods(themes))

/** Comes after every other path: an address that starts with an id could start with any word. */
export const documentSite = new Hono<AppEnv>()
  .route('/', rejectOtherMethods(deletion))
  .route('/', rejectOtherMethods(documentPages))
