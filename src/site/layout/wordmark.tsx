/** The site's name and logo, a crown on a line of text. */
export const Wordmark = () => (
  <a class="wordmark" href="/">
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path class="crown" d="M3 16 2 6.5l5.2 4L12 3l4.8 7.5 5.2-4L21 16z" />
      <path class="line" d="M3 20.5h18" />
    </svg>
    Regent
  </a>
)
