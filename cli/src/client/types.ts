export interface Creator {
  readonly documents_made: number
  readonly id: string
  readonly username: string
  /** A bit field: member 1, member-plus 2, beta-tester 4, admin 8, contributor 16, star-gazer 32. */
  readonly flags: number
  readonly icon: string
}

export interface Account extends Creator {
  readonly email: string
  /** Is true if the email address has been verified. Only confirmed accounts may use settings. */
  readonly confirmed: boolean
}

export interface DocumentSettings {
  /** Present only if somebody gave the document a title. */
  readonly title?: string
  /** Present only if the creator gave the document a name. */
  readonly name?: string
  readonly language: string
  readonly image_embed: boolean
  readonly instant_delete: boolean
  readonly encrypted: boolean
  readonly public: boolean
  /** False if edits keep no previous versions; missing if they do. */
  readonly revisions?: boolean
  readonly editors: readonly string[]
}

export interface ListedRevision {
  /** Counts from 1. The number of a deleted revision is never used again. */
  readonly number: number
  /** A username; null without an account, and if the account was deleted. */
  readonly author: string | null
  /** Bytes of the text in UTF-8, before encryption. */
  readonly size: number
  readonly created_at: string
  readonly current: boolean
}

export interface Revision extends ListedRevision {
  readonly language: string
  /** The text, or the JWE of an encrypted document if no password was sent. */
  readonly content: string
}

export interface DocumentInfo {
  readonly id: string
  /** Is null if it was created without an account. */
  readonly creator: Creator | null
  readonly gist_url: string | null
  readonly views: number
  /** ISO 8601 in UTC. A document that never expires has the expiration `9999-12-31T23:59:59.999Z`. */
  readonly timestamps: { readonly creation: string; readonly expiration: string }
  readonly links: { readonly formatted: string; readonly raw: string }
  readonly settings: DocumentSettings
}

export interface File {
  /** A relative path. */
  readonly name: string
  readonly language: string
  /** Bytes of UTF-8. */
  readonly size: number
  readonly content: string
  readonly links: { readonly raw: string }
}

export interface Document extends DocumentInfo {
  /** The text, or the JWE of an encrypted document that was read without its password. */
  readonly content: string
  /** The files in the text, if its language is `txtar` and it is an archive of files. */
  readonly files?: readonly File[]
  /** The id of the document that it's a duplicate of. Only in a read, while that document is public or you can edit it. */
  readonly duplicated_from?: string
}

export interface ListedDocument extends DocumentInfo {
  /** The given title, or else the first meaningful line. Null for encrypted documents. */
  readonly title: string | null
  /** Bytes of UTF-8. */
  readonly size: number
}

export interface DocumentPage {
  readonly documents: readonly ListedDocument[]
  /** Names the next page. Null on the last one. */
  readonly cursor: string | null
}

export interface EditSettings {
  /** A title or file name. Empty removes it. Encrypted documents can't have one. */
  readonly title?: string | undefined
  /** An address that stays, `/@username/name`: 1 to 64 of `a-z 0-9 - _ .`. Empty removes it. */
  readonly name?: string | undefined
  /** A label such as `python`. `auto` detects it. */
  readonly language?: string | undefined
  /** A number of days from now, or an ISO 8601 date-time with offset. Null is never. */
  readonly expiration?: number | string | null | undefined
  readonly image_embed?: boolean | undefined
  readonly instant_delete?: boolean | undefined
  readonly public?: boolean | undefined
  /** Says whether edits keep the previous versions. False deletes those that were kept. */
  readonly revisions?: boolean | undefined
  readonly editors?: readonly string[] | undefined
  /** The content is a JWE that you created. Needs `encrypted`. */
  readonly client_encrypted?: boolean | undefined
  /** The hash of the claim token, with `client_encrypted`. Required with `instant_delete`, and for editors. */
  readonly claim_hash?: string | undefined
}

export interface CreateSettings extends EditSettings {
  readonly encrypted?: boolean | undefined
  /** Encrypts on the server. With `encrypted` and without this, the server generates a password. */
  readonly password?: string | undefined
  /** An id of 36 characters. */
  readonly long_urls?: boolean | undefined
  /** An id of 4 characters. */
  readonly short_urls?: boolean | undefined
  readonly create_gist?: boolean | undefined
}

export interface NewFile {
  /** A relative path of 1 to 200 characters, different from all others. */
  readonly name: string
  readonly content: string
  /** A label such as `python`. Without it, the name says, or the content. */
  readonly language?: string | undefined
}

export interface CreateRequest {
  /** Required, unless there are `files`. */
  readonly content?: string | undefined
  /** 1 to 100 files in place of `content`. One file is an ordinary document that has its name as the title. */
  readonly files?: readonly NewFile[] | undefined
  /** The id of the document that it's a duplicate of. Ignored for encrypted and burn-after-reading documents. */
  readonly duplicated_from?: string | undefined
  /** Takes the settings that the request leaves out from your account's defaults. */
  readonly infer_settings?: boolean | undefined
  readonly settings?: CreateSettings | undefined
}

export interface EditRequest {
  readonly id: string
  readonly content?: string | undefined
  /** All files of the document, in place of `content`. */
  readonly files?: readonly NewFile[] | undefined
  /** The password of an encrypted document, for new content that the server encrypts. */
  readonly password?: string | undefined
  /** The claim token of the JWE that editors replace, with `client_encrypted`. */
  readonly claim_token?: string | undefined
  readonly settings?: EditSettings | undefined
}

export interface ListQuery {
  /** 1 to 100 documents. The default is 20. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly sort?:
    | 'newest'
    | 'oldest'
    | 'expiring'
    | 'expiring-last'
    | 'largest'
    | 'smallest'
    | 'viewed'
    | 'viewed-least'
    | 'title'
    | 'title-reversed'
    | undefined
  readonly search?: string | undefined
  /** True lists documents that others let you edit. */
  readonly shared?: boolean | undefined
}

export interface PublicQuery {
  /** 1 to 100 documents. The default is 20. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** A language label such as `python`. */
  readonly language?: string | undefined
  readonly search?: string | undefined
}

export interface Greeting {
  readonly message: string
  /** The name of the site. */
  readonly name: string
  readonly version: string
  /** The URL of the API's reference for people. */
  readonly documentation: string
  /** The URL of the OpenAPI document. */
  readonly openapi: string
}
