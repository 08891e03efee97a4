import { Hono } from 'hono'
import { serialize } from 'hono/utils/cookie'
import type { AppEnv } from '../../env.ts'
import { invalidBody, issueAt } from '../../errors.ts'
import { limitBody } from '../../http/bodies.ts'
import { requireThisSite } from '../../http/origin.ts'
import { THEMES, type ThemeName } from '../../shared/display.ts'
import { DAY_SECONDS } from '../../shared/instant.ts'
import { answerErrorPage } from './errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields } from './form.ts'
import { returnPath, seeOther } from './page.tsx'

const isTheme = (candidate: string | undefined): candidate is ThemeName =>
  THEMES.some(({ name }) => name === candidate)

const YEAR_SECONDS = 365 * DAY_SECONDS

/** Returns the cookie that stores a theme; `system` deletes it. Scripts change it too, so it isn't HttpOnly. */
const themeCookie = (siteUrl: string, theme: ThemeName): string =>
  serialize('theme', theme === 'system' ? '' : theme, {
    path: '/',
    sameSite: 'Lax',
    secure: siteUrl.startsWith('https:'),
    maxAge: theme === 'system' ? 0 : YEAR_SECONDS,
  })

/** Sets the theme and redirects back to the page. */
export const themes = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .post('/', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    const fields = await readFields(c)
    const theme = fields.get('theme')
    if (!isTheme(theme)) throw invalidBody(issueAt(['theme'], 'Unknown theme'))
    return seeOther(c, returnPath(fields.get('return')), [themeCookie(c.var.siteUrl, theme)])
  })
