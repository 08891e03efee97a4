import type { Child } from 'hono/jsx'
import { Layout } from '../layout/layout.tsx'

interface ArticleProps {
  readonly title: string
  /** One sentence that says what the page is about. */
  readonly lead: Child
  readonly signedIn: boolean
  readonly scripts?: readonly string[]
  readonly children: Child
}

/** A page to read. */
export const Article = ({ title, lead, children, ...layout }: ArticleProps) => (
  <Layout title={title} {...layout}>
    <article class="article">
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </article>
  </Layout>
)
