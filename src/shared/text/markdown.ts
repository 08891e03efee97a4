/** UTF-16 units of Markdown that can be rendered. More would make the page slow. */
export const MAX_RENDERED = 1024 * 1024
