import { invalidBody, issueAt } from '../../errors.ts'

export const notJson = () => invalidBody(issueAt([], 'The body is not JSON'))

export const notUtf8 = () => invalidBody(issueAt([], 'The body is not UTF-8'))
