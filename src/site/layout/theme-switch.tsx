import { useContext } from 'hono/jsx'
import { PageFrame, THEMES } from './page-frame.ts'

const LABELS = { system: 'System', light: 'Light', dark: 'Dark' } as const

/**
 * Switches the theme. After a form's answer, which reloading would lose, it's hidden unless a script can switch
 * without a request.
 */
export const ThemeSwitch = () => {
  const { theme, path } = useContext(PageFrame)
  return (
    <form method="post" action="/theme" class="theme" hidden={path === null}>
      <input type="hidden" name="return" value={path ?? '/'} />
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
