/** Lets the page do what it has to between two steps that take long together. */
export const yieldToPage = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
