import { isNamedTheme, THEMES } from '../../shared/themes.ts'
import { THEME_STYLES } from '../assets.generated.ts'
import { useFrame } from './page-frame.ts'
import { Template } from './template.tsx'

interface ThemeSwitchProps {
  /** Whether to offer every theme, or only the basic ones and the present one. */
  readonly all?: boolean
}

const THEME_SWITCH = new Template('path')

/**
 * Switches the theme. After a form's answer, which reloading would lose, it's hidden unless a script can switch
 * without a request.
 */
export const ThemeSwitch = ({ all = false }: ThemeSwitchProps) => {
  const { theme, path } = useFrame()
  const offered = THEMES.filter(({ name }) => all || !isNamedTheme(name) || name === theme)
  return THEME_SWITCH.fill(JSON.stringify([theme, all, path === null]), { path: path ?? '/' }, (gaps) => (
    <form method="post" action="/theme" class="theme" data-styles={THEME_STYLES} hidden={path === null}>
      <input type="hidden" name="return" value={gaps.path} />
      <fieldset>
        <legend>Theme</legend>
        {offered.map(({ name, label }) => (
          <button type="submit" name="theme" value={name} aria-pressed={name === theme ? 'true' : 'false'}>
            {label}
          </button>
        ))}
      </fieldset>
    </form>
  ))
}
