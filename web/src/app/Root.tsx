import { selectHasTexts } from '../platform/preferences/textsSlice'
import { App } from './App'
import { useAppSelector } from './hooks'
import { Splash } from './Splash'

/** Shows the page as soon as the translations are loaded. */
export function Root() {
  return useAppSelector(selectHasTexts) ? <App /> : <Splash />
}
