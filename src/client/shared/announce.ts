/** Puts words into a live region, where they are seen and read out. */
export function announce(region: HTMLElement, words: string): void {
  if (region.textContent !== words) region.textContent = words
}
