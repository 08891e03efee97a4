import type { Child } from 'hono/jsx'
import { isAscending, MAX_SEARCH_CHARACTERS, type Sort } from '../documents/lists.ts'
import { formatAge, formatDateTime } from '../shared/format.ts'
import { ConfirmationDialog, Form, OpenButton } from './form.tsx'
import { Icon, type IconName, ToolButton } from './icons.tsx'
import { EmptyState } from './layout.tsx'

/*
 * Every list of documents: your documents, those shared with you or on this device, Explore, profiles. It works by links
 * and forms. With scripts, `src/client/lists/list.ts` searches while somebody types, sorts without leaving the page, and
 * adds the keyboard.
 */

export const ShortTime = ({ at, now }: { at: number; now: number }) => (
  <time datetime={new Date(at).toISOString()} title={formatDateTime(at)}>
    {formatAge(at, now)}
  </time>
)

/** Words that a column's header says in a wide window. */
const Unit = ({ children }: { children: string }) => <span class="unit">{children}</span>

export const ViewCount = ({ views }: { views: number }) => (
  <>
    {views}
    <Unit>{views === 1 ? ' view' : ' views'}</Unit>
  </>
)

/** @param at null if it never does. */
export const ShortExpiry = ({ at, now }: { at: number | null; now: number }) =>
  at === null ? (
    <>
      Never<Unit> expires</Unit>
    </>
  ) : (
    <>
      <span class="visually-hidden">expires </span>
      <ShortTime at={at} now={now} />
    </>
  )

export interface Column {
  readonly title: string
  /** The orders that its header leads to. Without them the column doesn't sort. */
  readonly sorts?: readonly [usual: Sort, reversed: Sort]
}

export interface Row {
  readonly id: string
  readonly href: string
  readonly name: string
  readonly badges?: Child
  /** The first lines of the text. */
  readonly excerpt?: string | undefined
  /** The cells of the columns after the title. */
  readonly cells: readonly Child[]
  /** Dialogs that its menu opens. */
  readonly dialogs?: Child
}

export interface Selection {
  /** The label of the button in the bar, such as "Delete selected". */
  readonly button: string
  readonly title: string
  readonly action: string
  /** Further fields of the form. */
  readonly fields: Readonly<Record<string, string>>
  /** More `BarButton`s. */
  readonly more?: Child
  /** The id of the dialog that asks first. */
  readonly text: string
}

export interface ListProps {
  /** The name of the list that screen readers say. */
  readonly label: string
  /** The address that the search form leads to. */
  readonly path: string
  /** Returns the address with another order, or of another page. */
  readonly getPath: (changes: { sort?: Sort; cursor?: string }) => string
  readonly search: string
  /** The reader chose to see only some. */
  readonly filtered: boolean
  /** Fields of the search form that nobody sees. */
  readonly fields?: Readonly<Record<string, string>>
  /** More filters in the search form. */
  readonly filters?: Child
  /** The order of the rows, if the reader can change it. */
  readonly sort?: Sort
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** The items of a row's menu: `CopyLink`, and tools with `inMenu`. Depends on the list's label and the id alone. */
  readonly menu?: (id: string) => Child
  /** How many there are on all pages, if that's known. */
  readonly total?: number | null
  readonly isFirstPage: boolean
  readonly next: string | null
  /** How many of the documents were searched or sorted; null if all. */
  readonly lookedAt?: number | null
  readonly selection?: Selection
  /** The text that takes the place of rows if there are none. */
  readonly empty: Child
}

const formatNumber = (number: number): string => number.toLocaleString('en')

/** Doesn't count documents of other pages: that would take as long as to read them. */
function formatTotal({ rows, total = null, isFirstPage, next }: ListProps): string {
  const isAll = isFirstPage && next === null
  if (isAll && rows.length === 1) return '1 document'
  if (isAll) return `${rows.length} documents`
  return total === null
    ? `${rows.length}+ documents`
    : `${formatNumber(Math.max(total, rows.length))} documents`
}

/** The menu of narrow windows has them in this order. The first is the default. */
const SORT_LABELS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'Title A–Z',
  'title-reversed': 'Title Z–A',
  viewed: 'Most views',
  'viewed-least': 'Fewest views',
  largest: 'Largest first',
  smallest: 'Smallest first',
  expiring: 'Expiring soonest',
  'expiring-last': 'Expiring last',
} as const satisfies Record<Sort, string>

const TITLE: Column = { title: 'Title', sorts: ['title', 'title-reversed'] }

const SortMenu = ({ columns, sort }: { columns: readonly Column[]; sort: Sort }) => {
  const offered = new Set<string>([TITLE, ...columns].flatMap(({ sorts = [] }) => sorts))
  return (
    <select name="sort" aria-label="Sort by" class="list-sort">
      {Object.entries(SORT_LABELS)
        .filter(([name]) => offered.has(name))
        .map(([name, label]) => (
          <option value={name} selected={name === sort}>
            {label}
          </option>
        ))}
    </select>
  )
}

const SearchForm = ({ path, fields, search, filters, columns, sort }: ListProps) => (
  <search>
    <Form method="get" action={path} hidden={fields} layout="list-form row">
      <div class="icon-field">
        <Icon name="search" />
        <input
          type="search"
          name="search"
          value={search}
          maxlength={MAX_SEARCH_CHARACTERS}
          autocomplete="off"
          aria-label="Search titles"
          placeholder="Search titles"
        />
      </div>
      {filters}
      {sort && <SortMenu columns={columns} sort={sort} />}
      <noscript>
        <button type="submit" class="quiet">
          Apply
        </button>
      </noscript>
    </Form>
  </search>
)

const SELECTION = 'selection'

interface BarButtonProps {
  readonly icon: IconName
  /** The label, of which narrow windows show only the icon. */
  readonly name: string
  readonly action: string
}

/** A script does what it says to the selection. */
export const BarButton = ({ icon, name, action }: BarButtonProps) => (
  <button type="button" class="quiet scripted" data-action={action} title={name} aria-label={name}>
    <Icon name={icon} />
    {action !== 'clear' && <span>{name}</span>}
  </button>
)

/** Wide windows have it in the header of the checkboxes' column, narrow ones beside the total. */
const SelectAll = () => (
  <label class="list-all scripted">
    <input type="checkbox" data-part="select-all" autocomplete="off" aria-label="Select all" />
  </label>
)

/** Appears in the place of the total while something is selected, so it covers nothing. */
const SelectionBar = ({ selection: { button, more } }: { selection: Selection }) => (
  <div class="list-selection row">
    <span data-part="selected">Selected:</span>
    <BarButton icon="link" name="Copy links" action="copy-links" />
    {more}
    <OpenButton id="selected">
      <Icon name="trash" />
      <span>{button}</span>
    </OpenButton>
    <BarButton icon="close" name="Clear selection" action="clear" />
  </div>
)

interface HeaderProps extends Pick<ListProps, 'getPath'> {
  readonly column: Column
  readonly sort: Sort | undefined
}

/** Sorts by its column; again, the other way round. */
const Header = ({ column: { title, sorts }, sort, getPath }: HeaderProps) => {
  if (!sorts || !sort)
    return (
      <th scope="col" data-column={title}>
        {title}
      </th>
    )
  const [usual, reversed] = sorts
  const sorted = isAscending(sort) ? 'ascending' : 'descending'
  return (
    <th scope="col" data-column={title} aria-sort={sorts.includes(sort) ? sorted : undefined}>
      <a
        href={getPath({ sort: sort === usual ? reversed : usual })}
        data-sorts={sorts.join(' ')}
        data-ascending={isAscending(usual)}
      >
        {title}
      </a>
    </th>
  )
}

interface ShownRowProps extends Pick<ListProps, 'columns'> {
  readonly menu: ListProps['menu'] | undefined
  readonly row: Row
  readonly selects: boolean
}

const ShownRow = ({ row, columns, menu, selects }: ShownRowProps) => {
  const { id, href, name, badges, excerpt, cells, dialogs } = row
  return (
    <tr data-id={id}>
      {selects && (
        <td class="list-check">
          <label>
            <input
              type="checkbox"
              name="id"
              value={id}
              form={SELECTION}
              // A browser that restores checkboxes on reload could select another document in the same place.
              autocomplete="off"
              aria-label={`Select ${name}`}
            />
          </label>
        </td>
      )}
      <th scope="row">
        <div class="list-title row">
          <a href={href}>
            <bdi>{name}</bdi>
          </a>
          {badges}
        </div>
        {excerpt && (
          <div class="excerpt" dir="auto" translate="no">
            {excerpt}
          </div>
        )}
      </th>
      {columns.map(({ title }, index) => (
        <td data-column={title}>{cells[index]}</td>
      ))}
      {menu && (
        <td class="list-menu">
          <button type="button" class="tool" popovertarget={`menu-${id}`} aria-label={`More for ${name}`}>
            <Icon name="more" />
          </button>
          <div class="menu" id={`menu-${id}`} popover="auto">
            {menu(id)}
          </div>
          {dialogs}
        </td>
      )}
    </tr>
  )
}

const Table = ({ label, columns, rows, menu, selection, sort, getPath }: ListProps) => (
  <table aria-label={label}>
    <thead>
      <tr>
        {selection && (
          <td class="list-check">
            <SelectAll />
          </td>
        )}
        {[TITLE, ...columns].map((column) => (
          <Header column={column} sort={sort} getPath={getPath} />
        ))}
        {menu && <td class="list-menu" />}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <ShownRow row={row} columns={columns} menu={menu} selects={selection !== undefined} />
      ))}
    </tbody>
  </table>
)

const BY_TIME: ReadonlySet<Sort> = new Set(['newest', 'oldest'])

/** A search goes on where it stopped. Only the newest documents are sorted by anything but their time. */
const Reach = ({ search, sort, lookedAt, isFirstPage }: ListProps & { readonly lookedAt: number }) => {
  const amount = formatNumber(lookedAt)
  if (sort && !BY_TIME.has(sort))
    return (
      <span>{`Only the newest ${amount} documents are ${search === '' ? 'sorted' : 'searched and sorted'}`}</span>
    )
  return search === '' ? null : <span>{`Searched ${amount} ${isFirstPage ? '' : 'more '}documents`}</span>
}

/** Says how much of the list is on the page. */
const Pages = (props: ListProps) => {
  const { rows, search, isFirstPage, next, lookedAt = null, getPath } = props
  if (isFirstPage && next === null && lookedAt === null) return null
  return (
    <nav aria-label="Pages" class="list-pages row quiet-text">
      <span>
        <span data-part="shown">{rows.length}</span> shown
      </span>
      {lookedAt !== null && <Reach {...props} lookedAt={lookedAt} />}
      {!isFirstPage && <a href={getPath({})}>First page</a>}
      {next !== null && (
        <a href={getPath({ cursor: next })} rel="next" data-part="more">
          {search !== '' && lookedAt !== null ? 'Keep searching' : 'Next page'}
        </a>
      )}
    </nav>
  )
}

/** Explains the keys, but only where there's a keyboard and a script. */
const Keys = ({ selects }: { selects: boolean }) => (
  <p class="list-pages for-keyboard scripted quiet-text">
    <kbd>J</kbd> <kbd>K</kbd> or arrows to move, <kbd>Enter</kbd> to open,{' '}
    {selects && (
      <>
        <kbd>Space</kbd> to select,{' '}
      </>
    )}
    <kbd>/</kbd> to search
  </p>
)

/** Says that there may be more on the next pages. */
const NothingYet = ({ search }: Pick<ListProps, 'search'>) => (
  <EmptyState icon="search" title={search === '' ? 'Nothing on this page' : 'Nothing found yet'}>
    <p>Go on to the next documents below.</p>
  </EmptyState>
)

export const List = (props: ListProps) => {
  const { label, rows, search, filtered, next, selection, empty } = props
  const isEmpty = rows.length === 0
  return (
    <section class="list" aria-label={label}>
      {(!isEmpty || filtered) && (
        <div class="list-bar row apart">
          <SearchForm {...props} />
          {selection && !isEmpty && <SelectAll />}
          <p class="list-total row quiet-text" role="status">
            {formatTotal(props)}
          </p>
          {selection && <SelectionBar selection={selection} />}
        </div>
      )}
      <div class="list-results">
        {!isEmpty && <Table {...props} />}
        {isEmpty && (next === null ? empty : <NothingYet search={search} />)}
        <Pages {...props} />
      </div>
      {selection && (
        <ConfirmationDialog
          id="selected"
          formId={SELECTION}
          title={selection.title}
          button="Delete"
          action={selection.action}
          hidden={selection.fields}
        >
          <p>{selection.text}</p>
        </ConfirmationDialog>
      )}
      {!isEmpty && <Keys selects={selection !== undefined} />}
    </section>
  )
}

export const CopyLink = () => <ToolButton icon="link" name="Copy link" tool="copy-link" inMenu />

export const NothingFound = ({ title, all }: { title: Child; all: string }) => (
  <EmptyState icon="search" title={title}>
    <p>Search looks at titles, not at text.</p>
    <a class="button quiet" href={all}>
      Show all
    </a>
  </EmptyState>
)
