import type { AppContext } from '../env.ts'
import { answerText } from '../http/answer.ts'
import { VARY_BY_FORM } from '../http/wants-text.ts'
import { formatSize } from '../shared/format.ts'

const formatManual = (site: string, maxSize: string, anonymous: boolean): string => `\
REGENT: share text by link

Create a document. The answer is its link. Up to ${maxSize} of UTF-8.

  curl --data-binary @notes.txt ${site}/
  curl -T main.py ${site}/
  make 2>&1 | curl -T - ${site}/
  git diff | curl -F 'f=<-' ${site}/
  wget -qO- --post-file=notes.txt ${site}/
${
  anonymous
    ? ''
    : `
On this server, only people with an account can create documents. Send an API
key: -H 'Authorization: imperial_...'
`
}
Options, as ?name=value, as a header or as a field of a form:

  expires=2d      X-Expires     30m, 12h, 2d, 4w or never (never needs a key)
  burn            X-Burn        delete after first read
  language=py     X-Language    a name or a file extension; else detected
  title=notes     X-Title       a title or file name
  encrypt         X-Encrypt     encrypt; the link contains the password
                  X-Password    encrypt with this password

  curl -T main.py '${site}/?expires=2d&burn'

Read and delete:

  curl ${site}/ID
  curl '${site}/ID?lines=10-40'
  curl -X POST ${site}/ID                  if it's deleted after first read
  curl -H 'X-Password: ...' ${site}/ID     if it's encrypted
  curl -X DELETE -H 'X-Document-Token: ...' ${site}/ID

The answer to a create has the header X-Document-Token (curl -i shows it). Or
send an API key each time: -H 'Authorization: imperial_...'

More: ${site}/api
`

/** Answers a program that asks for the home page with a short manual. */
export async function answerManual(c: AppContext): Promise<Response> {
  const { config, siteUrl } = c.var
  const manual = formatManual(
    siteUrl,
    formatSize(config.maxContentBytes),
    config.anonymousDocuments === 'allow',
  )
  return answerText(c, manual, { headers: { 'Cache-Control': 'no-cache', ...VARY_BY_FORM } })
}
