import type { Document } from '../../documents/model/document.ts'
import { getDownloadName } from './download-name.ts'

interface TextToolsProps {
  readonly document: Document
  /** Whether the raw link still answers the text that the page shows: it doesn't for burned and encrypted documents. */
  readonly hasRawLink: boolean
}

/** The tools above the text. Those that need a script are hidden until it runs. */
export const TextTools = ({ document, hasRawLink }: TextToolsProps) => (
  <section class="tools" aria-label="Tools">
    <a
      class="tool"
      id="download"
      // Without the link, a script makes a file of the text on the page.
      href={hasRawLink ? `/r/${document.id}` : undefined}
      download={getDownloadName(document)}
      hidden={!hasRawLink}
    >
      Download
    </a>
    <button type="button" class="tool" data-copy="text" data-copied="text-status" hidden>
      Copy
    </button>
    {/* A duplicate starts as a draft, which the browser stores, so there is none of decrypted text. */}
    {!document.encrypted && (
      <button type="button" class="tool" id="duplicate" hidden>
        Duplicate
      </button>
    )}
    <button type="button" class="tool" id="wrap" aria-pressed="false" hidden>
      Wrap
    </button>
    <fieldset class="views" id="views" aria-label="View" hidden />
    <form class="find" hidden>
      <label for="find">Find</label>
      <input id="find" type="search" autocomplete="off" autocapitalize="off" spellcheck={false} />
      <button type="button" class="tool" aria-label="Previous match" hidden>
        <span aria-hidden="true">↑</span>
      </button>
      <button type="button" class="tool" aria-label="Next match" hidden>
        <span aria-hidden="true">↓</span>
      </button>
    </form>
    <form class="go-to-line" hidden>
      <label for="line">Go to line</label>
      <input id="line" inputmode="numeric" autocomplete="off" />
    </form>
    <span id="text-status" aria-live="polite" />
  </section>
)
