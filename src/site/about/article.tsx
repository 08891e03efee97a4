import type { Child } from 'hono/jsx'
import { Layout } from '../layout/layout.tsx'
import { previewPage } from '../previews/link-preview.ts'

interface ArticleProps {
  readonly title: string
  /** The page's address. */
  readonly path: string
  /** One sentence that says what the page is about. */
  readonly lead: string
  readonly signedIn: boolean
  readonly scripts?: readonly string[]
  readonly children: Child
}

/** A page to read. */
export const Article = ({ title, path, lead, children, ...layout }: ArticleProps) => (
  <Layout title={title} preview={previewPage(title, lead, path)} {...layout}>
    <article class="article">
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </article>
  </Layout>
)
