/** Puts a message into a live region, where it is shown and read out. */
export function announce(region: HTMLElement, message: string): void {
  if (region.textContent !== message) region.textContent = message
}
