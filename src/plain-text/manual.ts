import type { AppContext } from '../env.ts'
import { answerText } from '../http/answers/answer.ts'
import { VARY_BY_FORM } from '../http/answers/wants-text.ts'
import { formatSize } from '../shared/format.ts'

const KEY_NEEDED = `
On this server, only people with an account can create documents. Send an API
key with each request: -H 'Authorization: imperial_...'
`

const formatManual = (site: string, maxSize: string, keyNeeded: boolean): string => `\
REGENT: share text by link

Create a document: up to ${maxSize} of UTF-8. The response is its link.
${keyNeeded ? KEY_NEEDED : ''}
  curl -T main.py ${site}/
  curl --data-binary @notes.txt ${site}/
  make 2>&1 | curl -T - ${site}/
  git diff | curl -F 'f=<-' ${site}/
  wget -qO- --post-file=notes.txt ${site}/

Choose options in the address, in a header, or in a field of a form:

  ?expires=2d       X-Expires    30m, 12h, 2d, 4w or never
  ?burn             X-Burn       delete after first read
  ?language=py      X-Language   a language or a file extension
  ?title=notes      X-Title      a title or file name
  ?encrypt          X-Encrypt    the link contains a generated password
  ?public           X-Public     anyone can find it; needs an API key

  curl -T main.py '${site}/?expires=2d&burn'
  curl -T main.py -H 'X-Document-Password: ...' ${site}/

Read, and delete:

  curl ${site}/ID
  curl '${site}/ID?lines=10-40'
  curl -H 'X-Document-Password: ...' ${site}/ID
  curl -X POST ${site}/ID
      reads a document that is deleted after first read
  curl -X DELETE -H 'X-Document-Token: ...' ${site}/ID
      the token is in the response to the create: use curl -i

With an API key, -H 'Authorization: imperial_...', documents are yours, and can
last longer than 7 days. More: ${site}/docs
`

/** Answers a program that asks for the home page with a short manual. */
export async function answerManual(c: AppContext): Promise<Response> {
  const { config, siteUrl } = c.var
  const manual = formatManual(
    siteUrl,
    formatSize(config.maxContentBytes),
    config.anonymousDocuments === 'refuse',
  )
  return answerText(c, manual, { headers: { 'Cache-Control': 'no-cache', ...VARY_BY_FORM } })
}
