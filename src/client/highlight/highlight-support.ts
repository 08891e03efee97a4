/** CSS Custom Highlight API: styles text without changing the page. */
export const supportsHighlights = (): boolean => typeof CSS === 'object' && 'highlights' in CSS
