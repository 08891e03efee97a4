import type { Child } from 'hono/jsx'
import { STYLES } from './assets.generated.ts'

interface LayoutProps {
  readonly title: string
  /** Whether the browser holds a session's cookie: what the site's navigation offers depends on it. */
  readonly signedIn: boolean
  /** Addresses of scripts that make the page more comfortable. */
  readonly scripts?: readonly string[]
  readonly children: Child
}

/** Signing out is a form: a link could be followed by a prefetch, or from another site. */
const SiteNavigation = ({ signedIn }: { signedIn: boolean }) => (
  <nav aria-label="Site">
    <a href="/">New document</a>
    {signedIn ? (
      <>
        <a href="/account/documents">Your documents</a>
        <a href="/account">Account</a>
        <form method="post" action="/sign-out">
          <button type="submit" class="link">
            Sign out
          </button>
        </form>
      </>
    ) : (
      <>
        <a href="/sign-in">Sign in</a>
        <a href="/sign-up">Sign up</a>
      </>
    )}
  </nav>
)

/** The frame of every page. */
export const Layout = ({ title, signedIn, scripts = [], children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · Regent</title>
      <link rel="stylesheet" href={STYLES} />
      <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
      {scripts.map((script) => (
        <script type="module" src={script} />
      ))}
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="masthead">
        <a class="wordmark" href="/">
          Regent
        </a>
        <SiteNavigation signedIn={signedIn} />
      </header>
      <main id="main">{children}</main>
    </body>
  </html>
)

/** A page of few words: an error, a question. */
export const Notice = ({ children, ...layout }: LayoutProps) => (
  <Layout {...layout}>
    <div class="notice">
      <h1>{layout.title}</h1>
      {children}
    </div>
  </Layout>
)
