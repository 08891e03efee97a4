/** A page with snippets needs the script `copyButton`, which shows the buttons. */
export const Snippet = ({ id, title, children }: { id: string; title: string; children: string }) => (
  <figure class="snippet" aria-labelledby={`${id}-title`}>
    <figcaption>
      <span id={`${id}-title`}>{title}</span>
      <span id={`${id}-copied`} role="status" />
      <button
        type="button"
        class="snippet-copy"
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
