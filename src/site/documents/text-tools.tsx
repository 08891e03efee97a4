import type { Document } from '../../documents/model/document.ts'
import { findLanguage } from '../../shared/languages.ts'
import { downloadName } from './download-name.ts'

interface TextToolsProps {
  readonly document: Document
  /** Whether the raw link has the text that the page shows. */
  readonly kept: boolean
}

/**
 * What can be done with the text. What needs scripts is hidden until they are there; a download of what no
 * link has any more, or only encrypted, is made of the page.
 */
export const TextTools = ({ document, kept }: TextToolsProps) => (
  <section class="tools" aria-label="Tools">
    <a
      class="tool"
      id="download"
      href={kept ? `/r/${document.id}` : undefined}
      download={downloadName(document)}
      hidden={!kept}
    >
      Download
    </a>
    <button type="button" class="tool" data-copy="text" data-copied="text-status" hidden>
      Copy
    </button>
    {/* What is written on is kept in the browser as a draft, which what is encrypted never is. */}
    {!document.encrypted && (
      <button type="button" class="tool" id="duplicate" hidden>
        Duplicate
      </button>
    )}
    <button type="button" class="tool" id="wrap" aria-pressed="false" hidden>
      Wrap
    </button>
    <button type="button" class="tool" id="colours" aria-pressed="false" hidden>
      Colours
    </button>
    {findLanguage(document.language)?.name === 'markdown' && (
      <button type="button" class="tool" id="rendered" aria-pressed="false" hidden>
        Rendered
      </button>
    )}
    <form class="find" hidden>
      <label for="find">Find</label>
      <input id="find" type="search" autocomplete="off" autocapitalize="off" spellcheck={false} />
      <button type="button" class="tool" aria-label="Previous" hidden>
        <span aria-hidden="true">↑</span>
      </button>
      <button type="button" class="tool" aria-label="Next" hidden>
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
