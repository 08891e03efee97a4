import { useContext } from 'hono/jsx'
import { PageFrame, THEMES } from './page-frame.ts'

const LABELS = { system: 'System', light: 'Light', dark: 'Dark' } as const

/**
 * Chooses what pages look like. Where it would lose what the page shows, there is none without a script,
 * which changes the page in its place.
 */
export const ThemeSwitch = () => {
  const { theme, back } = useContext(PageFrame)
  return (
    <form method="post" action="/theme" class="theme" hidden={back === null}>
      <input type="hidden" name="return" value={back ?? '/'} />
      <fieldset>
        <legend>Theme</legend>
        {THEMES.map((name) => (
          <button type="submit" name="theme" value={name} aria-pressed={name === theme ? 'true' : 'false'}>
            {LABELS[name]}
          </button>
        ))}
      </fieldset>
    </form>
  )
}
