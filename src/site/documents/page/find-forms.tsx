import { ToolButton } from '../../components/tool.tsx'

/** Finds text in the document. A script shows it. */
export const FindForm = () => (
  <form class="find" hidden>
    <input
      id="find"
      type="search"
      aria-label="Find in text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
    />
    <ToolButton icon="arrow-up" name="Previous match" />
    <ToolButton icon="arrow-down" name="Next match" />
    <ToolButton icon="close" name="Close" />
  </form>
)

/** Goes to a line of the document. */
export const GoToLineForm = () => (
  <form class="go-to-line scripted">
    <label for="line">Go to line</label>
    <input id="line" inputmode="numeric" autocomplete="off" aria-keyshortcuts="G" />
  </form>
)
