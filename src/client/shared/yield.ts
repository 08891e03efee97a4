/** Lets the browser handle input and paint between two long steps. */
export const yieldToPage = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
