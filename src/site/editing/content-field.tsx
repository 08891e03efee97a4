interface TextFieldProps {
  readonly text: string
  /** Ids of what is to be said about it, in words of `aria-describedby`. */
  readonly describedBy: string | null
  readonly autofocus?: boolean
}

/** The text of a document, to be written. */
export const TextField = ({ text, describedBy, autofocus = false }: TextFieldProps) => (
  <>
    <label for="content">Text</label>
    <textarea
      id="content"
      name="content"
      rows={18}
      required
      autofocus={autofocus}
      spellcheck={false}
      autocapitalize="off"
      aria-describedby={describedBy ?? undefined}
    >
      {/* The parser drops the first line break, so it gets one of its own. */}
      {`\n${text}`}
    </textarea>
  </>
)
