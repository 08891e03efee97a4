import type { AccountDetails } from '../accounts/profile.ts'
import { type Document, isListed, neverExpires } from '../documents/document.ts'
import { formatAge, formatCount, formatDateTime, formatSize } from '../shared/format.ts'
import type { Instant } from '../shared/instant.ts'
import { findLanguage } from '../shared/languages.ts'
import { Icon, type IconName } from './icons.tsx'
import { getProfilePath, usePage } from './page.tsx'

/** Links to the profile only from a listed document: then the profile exists, because it shows at least this one. */
export const Author = ({ document }: { document: Parameters<typeof isListed>[0] }) => {
  const { creator } = document
  if (creator === null) return <>Deleted account</>
  if (!usePage().explore || !creator.hasProfile || !isListed(document)) return <>{creator.username}</>
  return <a href={getProfilePath(creator.username)}>{creator.username}</a>
}

export const Time = ({ at }: { at: Instant }) => (
  <time datetime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
)

/** A script keeps it up to date. Without one and on paper, it would soon be wrong: the exact time is displayed. */
export const Age = ({ at, now }: { at: Instant; now: Instant }) => (
  <time class="age" datetime={new Date(at).toISOString()} data-tip={formatDateTime(at)} tabindex={0}>
    <span data-age={at}>{formatAge(at, now)}</span>
    <span class="exact">{formatDateTime(at)}</span>
  </time>
)

/** A language that the site doesn't know has its name as a label. */
export const getLanguageLabel = ({ language }: Pick<Document, 'language'>): string =>
  findLanguage(language)?.label ?? language

/** Only lists show the colour of a badge's meaning. */
const Badge = ({ icon, tone, children }: { icon: IconName; tone?: 'accent' | 'warm'; children: string }) => (
  <span class={tone ? `badge ${tone}` : 'badge'}>
    <Icon name={icon} />
    {children}
  </span>
)

/** Shows the facts that a reader must know first. */
export const StateBadges = ({
  document,
}: {
  document: Parameters<typeof isListed>[0] & Pick<Document, 'name'>
}) => (
  <>
    {document.creator && document.name !== null && <Badge icon="link">{document.name}</Badge>}
    {document.burnAfterReading && (
      <Badge icon="flame" tone="warm">
        Read once
      </Badge>
    )}
    {document.encrypted && <Badge icon="lock">Encrypted</Badge>}
    {isListed(document) && (
      <Badge icon="globe" tone="accent">
        Public
      </Badge>
    )}
  </>
)

export const Expiry = ({ document, now }: { document: Document; now: Instant }) => (
  <span class="expiry">
    {neverExpires(document) ? (
      'never expires'
    ) : (
      <>
        expires <Age at={document.expiresAt} now={now} />
      </>
    )}
  </span>
)

export const UNTITLED = 'Untitled'

interface FactsProps {
  readonly document: Document
  readonly views: number
  readonly burned: boolean
  readonly now: Instant
  readonly language?: string
  /** The text in place of the language's name. */
  readonly languageLabel?: string | undefined
  /** Is null if the viewer may not know of it. */
  readonly original?: { readonly id: string; readonly title: string } | null
  /** The kind of line breaks, if a reader may not expect them. */
  readonly lineBreaks?: string | null
}

export const Facts = ({
  document,
  views,
  burned,
  now,
  language = document.language,
  languageLabel = getLanguageLabel({ language }),
  original = null,
  lineBreaks = null,
}: FactsProps) => (
  <p class="facts-line">
    <StateBadges document={document} />
    <span id="shown-language">{languageLabel}</span>
    <span class="minor">{formatSize(document.contentBytes)}</span>
    {lineBreaks && <span>{lineBreaks}</span>}
    {views > 0 && <span class="minor">{formatCount(views, 'view')}</span>}
    {document.creator && (
      <span>
        by <Author document={document} />
      </span>
    )}
    <span>
      <Age at={document.createdAt} now={now} />
    </span>
    {document.lastEditedBy && (
      <span>
        edited <Age at={document.updatedAt} now={now} /> by {document.lastEditedBy.username}
      </span>
    )}
    {!burned && <Expiry document={document} now={now} />}
    {original && (
      <span>
        duplicated from{' '}
        <a href={`/${original.id}`} dir="auto">
          {original.title}
        </a>
      </span>
    )}
  </p>
)

export const AccountPicture = ({ details }: { details: Pick<AccountDetails, 'id' | 'icon'> }) => (
  <img src={details.icon ?? `/icons/${details.id}.svg`} alt="" width="64" height="64" />
)
