/** Returns true if this browser can style text without changing the page (CSS Custom Highlight API). */
export const supportsHighlights = (): boolean => typeof CSS === 'object' && 'highlights' in CSS
