interface ContentFieldProps {
  readonly text: string
  /** The ids for `aria-describedby`, if there are any. */
  readonly describedBy: string | null
  readonly autofocus?: boolean
}

/** The field for the content of a document. */
export const ContentField = ({ text, describedBy, autofocus = false }: ContentFieldProps) => (
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
      {/* The HTML parser drops a line break at the start. */}
      {`\n${text}`}
    </textarea>
  </>
)
