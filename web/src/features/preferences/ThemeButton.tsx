import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { IconButton } from '../../components/IconButton'
import { useMediaQuery } from '../../components/useMediaQuery'
import { useTranslation } from '../../i18n/useTranslation'
import { selectTheme } from '../../platform/preferences/preferencesSelectors'
import { themeChanged } from '../../platform/preferences/preferencesSlice'

/** Switches between dark and light. The third choice, the system's theme, is in the preferences. */
export function ThemeButton() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const theme = useAppSelector(selectTheme)
  const systemIsLight = useMediaQuery('(prefers-color-scheme: light)')
  const isLight = theme === 'light' || (theme === 'auto' && systemIsLight)
  return (
    <IconButton
      label={t(isLight ? 'turnDark' : 'turnLight')}
      icon={isLight ? 'sun' : 'moon'}
      onClick={() => dispatch(themeChanged(isLight ? 'dark' : 'light'))}
    />
  )
}
