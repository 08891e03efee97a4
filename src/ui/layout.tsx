import type { Child } from 'hono/jsx'
import { isBranded } from '../config.ts'
import { READ_ONLY_MESSAGE } from '../shared/error-codes.ts'
import { getColorScheme, getThemeColors, isNamedTheme, THEMES, type ThemeName } from '../shared/themes.ts'
import { SCRIPTS, STYLES, THEME_STYLES } from './assets.generated.ts'
import { Icon, type IconName } from './icons.tsx'
import { type LinkPreview, NEUTRAL_PREVIEW, PreviewTags } from './link-preview.tsx'
import { EXPLORE_PATH, usePage, YOUR_DOCUMENTS_PATH } from './page.tsx'

/** Draws a crown on a line of text. Keep it the same as public/assets/favicon.svg. */
export const Mark = () => (
  <svg viewBox="5 5 22 22" width="22" height="22" aria-hidden="true">
    <path d="M8 20 6 8.5l5.5 5L16 6l4.5 7.5 5.5-5L24 20z" />
    <path class="line" d="M8 22h16v4H8z" />
  </svg>
)

const Wordmark = () => {
  const { name, icon } = usePage().site
  const content = (
    <>
      {icon === null ? <Mark /> : <img src={icon} alt="" width="22" height="22" />}
      {name}
    </>
  )
  if (isHome()) return <span class="wordmark">{content}</span>
  return (
    <a class="wordmark" href="/">
      {content}
    </a>
  )
}

/** The operator's accent, which the named themes replace with their own. */
export const SiteStyles = () => {
  const { accent } = usePage().site
  return accent && <link rel="stylesheet" href={`/site/style.css?color=${accent.light.accent.slice(1)}`} />
}

/** Browsers find favicon.ico and apple-touch-icon.png by themselves. */
const SiteIcons = () => {
  const { site } = usePage()
  const { icon } = site
  if (icon === null) return <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
  return (
    <>
      <link rel="icon" href={icon} />
      <link rel="apple-touch-icon" href={icon} />
    </>
  )
}

/** It's hidden after a form's answer, which reloading would lose. */
export const ThemeSwitch = () => {
  const { theme, path } = usePage()
  return (
    <form
      method="post"
      action="/theme"
      class="theme inline"
      data-styles={THEME_STYLES}
      hidden={path === null}
    >
      <input type="hidden" name="return" value={path ?? '/'} />
      <fieldset class="segments">
        <legend>Theme</legend>
        {THEMES.map(({ name, label }) => (
          <button type="submit" name="theme" value={name} aria-pressed={name === theme ? 'true' : 'false'}>
            {label}
          </button>
        ))}
      </fieldset>
    </form>
  )
}

interface LayoutProps {
  readonly title: string
  /**
   * Is true if somebody is signed in. Without it, a session cookie decides. Pages that have looked up the user know
   * better.
   */
  readonly signedIn?: boolean | undefined
  readonly scripts?: readonly string[]
  readonly fillWindow?: boolean
  readonly styles?: readonly string[]
  readonly preview?: LinkPreview
  readonly head?: Child
  readonly children: Child
}

/** A phone shows only the icon, if there is one. */
const LINKS = {
  '/': ['New document', 'plus'],
  [EXPLORE_PATH]: ['Explore', 'globe'],
  [YOUR_DOCUMENTS_PATH]: ['Your documents', 'document'],
  '/account': ['Account', 'user'],
  '/sign-in': ['Sign in'],
  '/about': ['About'],
  '/docs': ['API'],
  '/privacy': ['Privacy'],
  '/terms': ['Terms'],
  '/abuse': ['Abuse'],
} as const satisfies Readonly<Record<string, readonly [label: string, icon?: IconName]>>

const NavigationLinks = ({ to }: { to: readonly (keyof typeof LINKS)[] }) => (
  <>
    {to.map((path) => {
      const [label, icon] = LINKS[path]
      return (
        <a href={path} aria-current={getCurrent(path)} title={icon && label}>
          {icon && <Icon name={icon} />}
          {icon ? <span>{label}</span> : label}
        </a>
      )
    })}
  </>
)

/** Tells whether this is the home page. The answer to its form isn't, though it has the same path. */
const isHome = () => usePage().path?.split('?', 1)[0] === '/'

/** The documents of an account come before the account, which their path starts with. */
const SECTIONS = Object.keys(LINKS).filter((path) => path !== '/')

const findSection = () => {
  const { pathname } = usePage()
  return SECTIONS.find((section) => pathname === section || pathname.startsWith(`${section}/`))
}

const getCurrent = (to: string) =>
  findSection() === to ? (usePage().pathname === to ? 'page' : 'true') : undefined

const SiteNavigation = ({ signedIn }: { signedIn: boolean }) => (
  <nav aria-label="Site">
    {!isHome() && <NavigationLinks to={['/']} />}
    {usePage().explore && <NavigationLinks to={[EXPLORE_PATH]} />}
    <NavigationLinks to={signedIn ? [YOUR_DOCUMENTS_PATH, '/account'] : ['/sign-in']} />
  </nav>
)

const ABOUT = ['/about', '/docs', '/privacy', '/terms', '/abuse'] as const

/**
 * Shows the links about the site. The pages that they lead to have all of them. Other pages have the first, and what
 * everyone must find. The editor of an account has only the first.
 */
export const AboutLinks = ({ isBrief = false }) => (
  <>
    <NavigationLinks
      to={
        ABOUT.some((path) => path === findSection()) ? ABOUT : isBrief ? ['/about'] : ['/about', '/privacy']
      }
    />
    {usePage().site.links.map(({ label, url }) => (
      <a href={url}>{label}</a>
    ))}
  </>
)

const ColorScheme = ({ theme }: { theme: ThemeName }) => (
  <>
    <meta name="color-scheme" content={getColorScheme(theme)} />
    {getThemeColors(theme).map((attributes) => (
      <meta {...attributes} />
    ))}
  </>
)

export const Layout = ({
  title,
  signedIn = usePage().signedIn,
  scripts = [],
  fillWindow = false,
  styles = [STYLES],
  preview = NEUTRAL_PREVIEW,
  head,
  children,
}: LayoutProps) => {
  const { theme, address, openToAll, readOnly, site } = usePage()
  return (
    <html
      lang="en"
      data-theme={theme === 'system' ? undefined : theme}
      data-readers={openToAll ? undefined : 'accounts'}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ColorScheme theme={theme} />
        <title>
          {title} · {site.name}
        </title>
        <PreviewTags preview={preview} />
        {styles.map((address) => (
          <link rel="stylesheet" href={address} />
        ))}
        <SiteStyles />
        {isNamedTheme(theme) && <link rel="stylesheet" href={THEME_STYLES} />}
        <SiteIcons />
        <link
          rel="manifest"
          href={isBranded(site) ? '/site/manifest.webmanifest' : '/assets/manifest.webmanifest'}
        />
        {head}
        {[SCRIPTS.everyPage, ...scripts].map((script) => (
          <script type="module" src={script} />
        ))}
      </head>
      <body class={fillWindow ? 'fill-window' : undefined}>
        <a class="button skip" href="#main">
          Skip to content
        </a>
        <header class="masthead">
          <Wordmark />
          <span class="print-url">{address}</span>
          <SiteNavigation signedIn={signedIn} />
        </header>
        {readOnly && (
          <p class="banner across" role="note">
            {READ_ONLY_MESSAGE}.
          </p>
        )}
        {site.notice !== null && (
          <p class="banner across" role="note">
            {site.notice}
          </p>
        )}
        <main id="main">{children}</main>
        {!fillWindow && (
          <footer class="footer">
            <nav aria-label="About this site">
              <AboutLinks />
            </nav>
          </footer>
        )}
      </body>
    </html>
  )
}

export const Notice = ({ icon, children, ...layout }: LayoutProps & { readonly icon?: IconName }) => (
  <Layout {...layout}>
    <div class="notice">
      {icon && <Icon name={icon} />}
      <h1>{layout.title}</h1>
      {children}
    </div>
  </Layout>
)

export const EmptyState = ({ icon, title, children }: { icon: IconName; title: Child; children: Child }) => (
  <div class="empty stack">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
)
