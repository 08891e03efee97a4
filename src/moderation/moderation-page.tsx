import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { UserEnv } from '../env.ts'
import { MODERATION_STYLES, SCRIPTS, STYLES } from '../ui/assets.generated.ts'
import { Items } from '../ui/fields.tsx'
import { EmptyState, Layout } from '../ui/layout.tsx'
import type { ListPage, ListPageOptions } from './list-page.ts'
import type { TargetKind } from './removal-statements.ts'

export type ModerationContext = Context<UserEnv>

const LISTS = {
  '/moderation': 'Reports',
  '/moderation/removals': 'Removed',
  '/moderation/blocks': 'Blocks',
  '/moderation/accounts': 'Accounts',
  '/moderation/audit': 'Audit log',
} as const

type ListPath = keyof typeof LISTS

interface ModerationPageProps {
  readonly list: ListPath
  readonly title?: string
  /** A message about what has just been done. */
  readonly done?: Child
  readonly children: Child
}

export const ModerationPage = ({ list, title = LISTS[list], done, children }: ModerationPageProps) => (
  <Layout title={title} styles={[STYLES, MODERATION_STYLES]} scripts={[SCRIPTS.form]}>
    <h1>{title}</h1>
    <nav aria-label="Moderation" class="segments">
      {Object.entries(LISTS).map(([path, name]) => (
        <a href={path} aria-current={path === list ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
    {done && (
      <p class="banner" role="status">
        {done}
      </p>
    )}
    {list === '/moderation' ? children : <div class="desk-list stack">{children}</div>}
  </Layout>
)

export const Older = ({ path, cursor }: { path: string; cursor: string | null }) =>
  cursor === null ? null : (
    <p>
      <a href={`${path}?${new URLSearchParams({ cursor })}`} rel="next" class="button quiet">
        Older
      </a>
    </p>
  )

interface EntriesProps<Entry> {
  readonly list: ListPath
  readonly page: ListPage<Entry>
  /** The text that takes the place of entries if there are none. */
  readonly empty: string
  readonly toItem: (entry: Entry) => Child
}

export const Entries = <Entry,>({ list, page: { items, cursor }, empty, toItem }: EntriesProps<Entry>) => (
  <>
    {items.length === 0 ? (
      <EmptyState icon="inbox" title={empty} children={null} />
    ) : (
      <Items>{items.map(toItem)}</Items>
    )}
    <Older path={list} cursor={cursor} />
  </>
)

export const getPageOptions = (c: ModerationContext): ListPageOptions => ({
  cursor: c.req.query('cursor'),
  limit: 50,
})

export const getRemoveAllPath = (kind: TargetKind, value: string): string =>
  `/moderation/remove-all?${new URLSearchParams({ kind, value })}`

export const getAccountPath = (username: string): string =>
  `/moderation/accounts?${new URLSearchParams({ username })}`
