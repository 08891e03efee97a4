import type { MarkdownIt } from 'markdown-it'

/** UTF-16 units of an address that are checked. */
const MAX_ADDRESS = 2_048

/** Links `https://…`, `www.…` and email addresses, as GitHub does. Not `README.md`, although `.md` is a domain. */
export function useGitHubAutolinks(linkify: MarkdownIt['linkify']): void {
  linkify.set({ fuzzyLink: false, fuzzyEmail: true, fuzzyIP: false })
  linkify.add('ftp:', null)
  linkify.add('//', null)
  linkify.add('www.', {
    validate: (text, position, self) => {
      const start = '//www.'
      const address = start + text.slice(position, position + MAX_ADDRESS)
      return Math.max(0, self.testSchemaAt(address, 'http:', 0) - start.length)
    },
    normalize: (match) => {
      match.url = `http://${match.url}`
    },
  })
}
