/** Its page needs the script `form`. In a file of its own for the reference, which is rendered when the site is built. */
export const Snippet = ({ id, title, children }: { id: string; title: string; children: string }) => (
  <figure class="snippet card" aria-labelledby={`${id}-title`}>
    <figcaption class="row">
      <span id={`${id}-title`}>{title}</span>
      <span id={`${id}-copied`} role="status" />
      <button
        type="button"
        class="quiet small"
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
