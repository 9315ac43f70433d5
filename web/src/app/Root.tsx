import { selectHasTexts } from '../features/preferences/textsSlice'
import { App } from './App'
import { useAppSelector } from './hooks'
import { Splash } from './Splash'

/** The page, as soon as there are words to write it with. */
export function Root() {
  return useAppSelector(selectHasTexts) ? <App /> : <Splash />
}
