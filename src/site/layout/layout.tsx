import type { Child } from 'hono/jsx'
import { getThemeColors, isNamedTheme, THEMES, type ThemeName } from '../../shared/themes.ts'
import { SCRIPTS, STYLES, THEME_STYLES } from '../assets.generated.ts'
import { Icon } from '../components/icon.tsx'
import type { IconName } from '../components/icons.ts'
import { type LinkPreview, NEUTRAL_PREVIEW } from '../previews/link-preview.ts'
import { PreviewTags } from '../previews/preview-tags.tsx'
import { useFrame } from './page-frame.ts'
import { EXPLORE_PATH } from './paths.ts'
import { renderChildren, Template } from './template.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { Wordmark } from './wordmark.tsx'

interface LayoutProps {
  readonly title: string
  /** Whether to show the navigation of a signed-in user. */
  readonly signedIn: boolean
  /** The addresses of the page's scripts. */
  readonly scripts?: readonly string[]
  /** Whether the page fills exactly the window, and so has no footer. */
  readonly fillWindow?: boolean
  /** The addresses of the page's stylesheets. */
  readonly styles?: readonly string[]
  /** What other services show of a link to the page; by default nothing but the site's name. */
  readonly preview?: LinkPreview
  /** What else belongs into the head. */
  readonly head?: Child
  readonly children: Child
}

interface NavigationLinkProps {
  readonly to: string
  /** All that a phone shows of the link. */
  readonly icon?: IconName
  readonly children: string
}

const NavigationLink = ({ to, icon, children }: NavigationLinkProps) => (
  <a href={to} aria-current={getCurrentPath() === to ? 'page' : undefined} title={icon && children}>
    {icon ? (
      <>
        <Icon name={icon} />
        <span>{children}</span>
      </>
    ) : (
      children
    )}
  </a>
)

const getCurrentPath = () => useFrame().path?.split('?', 1)[0]

/** The pages that the navigation leads to: there, its link is marked. */
const NAVIGATION_PATHS: ReadonlySet<string | undefined> = new Set([
  '/',
  EXPLORE_PATH,
  '/account/documents',
  '/account',
  '/sign-out',
  '/sign-in',
  '/sign-up',
  '/about',
  '/docs',
  '/privacy',
  '/terms',
  '/abuse',
])

/** Signing out takes a form, since prefetching may follow links. So the link leads to one, which a script submits. */
const SiteNavigation = ({ signedIn }: { signedIn: boolean }) => (
  <nav aria-label="Site">
    <NavigationLink to="/" icon="plus">
      New document
    </NavigationLink>
    {useFrame().explore && (
      <NavigationLink to={EXPLORE_PATH} icon="globe">
        Explore
      </NavigationLink>
    )}
    {signedIn ? (
      <>
        <NavigationLink to="/account/documents" icon="document">
          Your documents
        </NavigationLink>
        <NavigationLink to="/account" icon="user">
          Account
        </NavigationLink>
        <NavigationLink to="/sign-out" icon="sign-out">
          Sign out
        </NavigationLink>
      </>
    ) : (
      <>
        <NavigationLink to="/sign-in">Sign in</NavigationLink>
        <NavigationLink to="/sign-up">Sign up</NavigationLink>
      </>
    )}
  </nav>
)

const FooterNavigation = () => (
  <nav aria-label="About this site">
    <NavigationLink to="/about">About</NavigationLink>
    <NavigationLink to="/docs">API</NavigationLink>
    <NavigationLink to="/privacy">Privacy</NavigationLink>
    <NavigationLink to="/terms">Terms</NavigationLink>
    <NavigationLink to="/abuse">Abuse</NavigationLink>
  </nav>
)

const ColorScheme = ({ theme }: { theme: ThemeName }) => (
  <>
    <meta name="color-scheme" content={THEMES.find(({ name }) => name === theme)?.scheme} />
    {getThemeColors(theme).map((attributes) => (
      <meta {...attributes} />
    ))}
  </>
)

const LAYOUT = new Template('title', 'address', 'preview', 'head', 'children', 'theme')

/** The frame around every page. */
export const Layout = ({
  title,
  signedIn,
  scripts = [],
  fillWindow = false,
  styles = [STYLES],
  preview = NEUTRAL_PREVIEW,
  head,
  children,
}: LayoutProps) => {
  const { theme, address, explore, inHead } = useFrame()
  const path = getCurrentPath()
  const current = NAVIGATION_PATHS.has(path) ? path : null
  const key = JSON.stringify([theme, explore, current, signedIn, fillWindow, styles, scripts])
  const body = renderChildren(children)
  const values = {
    title,
    address,
    preview: renderChildren(<PreviewTags preview={preview} />),
    // The body comes first: it may have put something into the head.
    head: renderChildren([head, ...inHead]),
    children: body,
    theme: renderChildren(!fillWindow && <ThemeSwitch />),
  }
  return LAYOUT.fill(key, values, (gaps) => (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ColorScheme theme={theme} />
        <title>{gaps.title} · Regent</title>
        {gaps.preview}
        {styles.map((address) => (
          <link rel="stylesheet" href={address} />
        ))}
        {isNamedTheme(theme) && <link rel="stylesheet" href={THEME_STYLES} />}
        {/* Browsers find favicon.ico and apple-touch-icon.png by themselves. */}
        <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/assets/manifest.webmanifest" />
        {gaps.head}
        {[...scripts, SCRIPTS.everyPage].map((script) => (
          <script type="module" src={script} />
        ))}
      </head>
      <body class={fillWindow ? 'fill-window' : undefined}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="masthead">
          <Wordmark />
          <span class="print-url">{gaps.address}</span>
          <SiteNavigation signedIn={signedIn} />
        </header>
        <main id="main">{gaps.children}</main>
        {!fillWindow && (
          <footer class="footer">
            {gaps.theme}
            <FooterNavigation />
          </footer>
        )}
      </body>
    </html>
  ))
}

/** A page with a short text or form, such as an error or a confirmation. */
export const Notice = ({ icon, children, ...layout }: LayoutProps & { readonly icon?: IconName }) => (
  <Layout {...layout}>
    <div class="notice">
      {icon && <Icon name={icon} />}
      <h1>{layout.title}</h1>
      {children}
    </div>
  </Layout>
)
