/** The site's mark, a crown on a line of text. Keep it the same as src/client/public/assets/favicon.svg. */
export const Mark = () => (
  <svg viewBox="5 5 22 22" width="22" height="22" aria-hidden="true">
    <path d="M8 20 6 8.5l5.5 5L16 6l4.5 7.5 5.5-5L24 20z" />
    <path class="line" d="M8 22h16v4H8z" />
  </svg>
)

/** The site's name and mark, which lead to its home page. */
export const Wordmark = () => (
  <a class="wordmark" href="/">
    <Mark />
    Regent
  </a>
)
