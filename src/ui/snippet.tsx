import type { Child } from 'hono/jsx'

interface SnippetProps {
  readonly id: string
  readonly title: string
  /** Is true if copying the text is what the page is for. */
  readonly main?: boolean
  readonly children: Child
}

/** Its page needs the script `form`. In a file of its own for the reference, which is rendered when the site is built. */
export const Snippet = ({ id, title, main = false, children }: SnippetProps) => (
  <figure class="snippet card" aria-labelledby={`${id}-title`}>
    <figcaption class="row quiet-text">
      <span id={`${id}-title`}>{title}</span>
      <span id={`${id}-copied`} role="status" />
      <button
        type="button"
        class={main ? 'small' : 'quiet small'}
        hidden
        data-copy={id}
        data-copied={`${id}-copied`}
        aria-label={`Copy: ${title}`}
      >
        Copy
      </button>
    </figcaption>
    {/* On a phone this scrolls sideways, so the keyboard must reach it. */}
    <pre tabindex={0}>
      <code id={id}>{children}</code>
    </pre>
  </figure>
)
