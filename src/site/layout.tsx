import type { Child } from 'hono/jsx'
import { STYLES } from './assets.generated.ts'

interface LayoutProps {
  readonly title: string
  readonly children: Child
}

/** The frame of every page. */
export const Layout = ({ title, children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · Regent</title>
      <link rel="stylesheet" href={STYLES} />
      <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="masthead">
        <a class="wordmark" href="/">
          Regent
        </a>
        <nav aria-label="Site">
          <a href="/">New document</a>
        </nav>
      </header>
      <main id="main">{children}</main>
    </body>
  </html>
)

/** A page of few words: an error, a question. */
export const Notice = ({ title, children }: LayoutProps) => (
  <Layout title={title}>
    <div class="notice">
      <h1>{title}</h1>
      {children}
    </div>
  </Layout>
)
