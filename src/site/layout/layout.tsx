import { type Child, useContext } from 'hono/jsx'
import { SCRIPTS, STYLES } from '../assets.generated.ts'
import { PageFrame, type Theme } from './page-frame.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import { Wordmark } from './wordmark.tsx'

interface LayoutProps {
  readonly title: string
  /** Whether the browser holds a session's cookie: what the site's navigation offers depends on it. */
  readonly signedIn: boolean
  /** Addresses of scripts that make the page more comfortable. */
  readonly scripts?: readonly string[]
  readonly children: Child
}

const NavigationLink = ({ to, children }: { to: string; children: Child }) => {
  const { back } = useContext(PageFrame)
  return (
    <a href={to} aria-current={back?.split('?', 1)[0] === to ? 'page' : undefined}>
      {children}
    </a>
  )
}

/** The link to sign out leads to a question, since links are followed by whatever; a script answers it. */
const SiteNavigation = ({ signedIn }: { signedIn: boolean }) => (
  <nav aria-label="Site" class={signedIn ? 'account-links' : undefined}>
    <NavigationLink to="/">New document</NavigationLink>
    {signedIn ? (
      <>
        <NavigationLink to="/account/documents">Your documents</NavigationLink>
        <NavigationLink to="/account">Account</NavigationLink>
        <NavigationLink to="/sign-out">Sign out</NavigationLink>
      </>
    ) : (
      <>
        <NavigationLink to="/sign-in">Sign in</NavigationLink>
        <NavigationLink to="/sign-up">Sign up</NavigationLink>
      </>
    )}
  </nav>
)

/** What the browser paints before the stylesheet is there, and around the page: `--paper` of styles.css. */
const PAPER = { light: '#f8f7f2', dark: '#14181a' } as const

const ColorScheme = ({ theme }: { theme: Theme }) => (
  <>
    <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
    {theme === 'system' ? (
      <>
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={PAPER.light} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={PAPER.dark} />
      </>
    ) : (
      <meta name="theme-color" content={PAPER[theme]} />
    )}
  </>
)

/** The frame of every page. */
export const Layout = ({ title, signedIn, scripts = [], children }: LayoutProps) => {
  const { theme, address } = useContext(PageFrame)
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ColorScheme theme={theme} />
        <title>{title} · Regent</title>
        <link rel="stylesheet" href={STYLES} />
        <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
        {[...scripts, SCRIPTS.everyPage].map((script) => (
          <script type="module" src={script} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="masthead">
          <Wordmark />
          <span class="print-url">{address}</span>
          <SiteNavigation signedIn={signedIn} />
        </header>
        <main id="main">{children}</main>
        <footer class="footer">
          <ThemeSwitch />
          <a href="/#api">API</a>
        </footer>
      </body>
    </html>
  )
}

/** A page of few words: an error, a question. */
export const Notice = ({ children, ...layout }: LayoutProps) => (
  <Layout {...layout}>
    <div class="notice">
      <h1>{layout.title}</h1>
      {children}
    </div>
  </Layout>
)
