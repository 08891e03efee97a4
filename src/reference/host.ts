/** Stands for the address of the server in the reference. Each server puts its own in this place. */
export const HOST_PLACEHOLDER = 'https://regent.invalid'
