/** The field an error is about; null if it isn't about any one field. */
export type FormField = 'content' | 'title' | 'language' | 'expires' | 'editors' | 'password' | 'gist' | null

/** Why a document can't be saved. The message is shown to the user. */
export class SaveError extends Error {
  override readonly name = 'SaveError'
  readonly field: FormField
  /** The API's error code; null if the error was found in the browser. */
  readonly code: string | null

  constructor(message: string, field: FormField = null, { code = null }: { code?: string | null } = {}) {
    super(message)
    this.field = field
    this.code = code
  }
}
