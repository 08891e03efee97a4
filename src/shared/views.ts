/** The view that Markdown starts in. Pages show the switch of views before the script that works it has loaded. */
export const RENDERED_VIEW = { name: 'rendered', label: 'Rendered' } as const

/** What the switch of views calls the text itself. */
export const SOURCE_LABEL = 'Source'
