/** Stands for the server's address in the reference. Each server replaces it with its own address. */
export const HOST_PLACEHOLDER = 'https://regent.invalid'
