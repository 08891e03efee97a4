import type { Child } from 'hono/jsx'
import { Layout } from '../layout/layout.tsx'

export const LISTS = {
  '/moderation': 'Reported documents',
  '/moderation/removals': 'Removals',
  '/moderation/blocks': 'Blocks',
  '/moderation/remove-all': 'Remove many',
  '/moderation/accounts': 'Accounts',
  '/moderation/audit': 'Audit log',
} as const

interface ModerationPageProps {
  readonly title: string
  /** The list that this page shows, if it shows one. */
  readonly list?: keyof typeof LISTS
  readonly children: Child
}

export const ModerationPage = ({ title, list, children }: ModerationPageProps) => (
  <Layout title={title} signedIn>
    <h1>{title}</h1>
    <nav aria-label="Moderation" class="actions tabs">
      {Object.entries(LISTS).map(([path, name]) => (
        <a href={path} aria-current={path === list ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
    {children}
  </Layout>
)

/** Links to the next page of a list. */
export const Older = ({ path, cursor }: { path: string; cursor: string | null }) =>
  cursor === null ? null : (
    <p>
      <a href={`${path}?${new URLSearchParams({ cursor })}`} rel="next">
        Older
      </a>
    </p>
  )

export const Quote = ({ children }: { children: string }) => <blockquote class="quote">{children}</blockquote>

export interface ListProps<Item> {
  readonly items: readonly Item[]
  readonly cursor: string | null
}

export const Fact = ({ term, children }: { term: string; children: Child }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)
