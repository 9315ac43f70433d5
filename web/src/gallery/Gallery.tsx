import { useSyncExternalStore } from 'react'
import bs from '../../../config/translations/bs.json'
import en from '../../../config/translations/en.json'
import hr from '../../../config/translations/hr.json'
import sr from '../../../config/translations/sr.json'
import { looksOf } from '../../e2e/fixture/store'
import { WordsProvider } from '../i18n/useTranslation'
import { makeI18n } from '../testing/makeI18n'
import { Bets } from './Bets'
import { Controls } from './Controls'
import styles from './gallery.module.css'
import { Match } from './Match'
import { Media, Trackers } from './Media'
import { Messages } from './Messages'
import { Odds } from './Odds'
import { Placing } from './Placing'
import { Rows } from './Rows'
import { QUERY } from './stores'
import { Ticket } from './Ticket'

const TEXTS = { hr, en, bs, sr }

const SECTIONS = {
  odds: Odds,
  rows: Rows,
  match: Match,
  ticket: Ticket,
  placing: Placing,
  bets: Bets,
  controls: Controls,
  messages: Messages,
  media: Media,
  tracker: Trackers,
} as const

const NAMES = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]

const LOOKS = [
  ['theme', 'dark'],
  ['theme', 'light'],
  ['lang', 'hr'],
  ['lang', 'en'],
  ['lang', 'bs'],
  ['lang', 'sr'],
] as const

const { language } = looksOf(QUERY)
const i18n = makeI18n(language, TEXTS[language])

/** Shows the section in the address, or all sections. */
export function Gallery() {
  const hash = useSyncExternalStore(onHash, () => location.hash.slice(1))
  const shown = NAMES.filter((name) => name === hash)
  return (
    <WordsProvider i18n={i18n}>
      <nav className={styles.head} aria-label="gallery">
        <a href="#all" aria-current={shown.length === 0 || undefined}>
          all
        </a>
        {NAMES.map((name) => (
          <a key={name} href={`#${name}`} aria-current={name === hash || undefined}>
            {name}
          </a>
        ))}
        {LOOKS.map(([key, value]) => (
          <a key={value} href={withLook(key, value, hash)}>
            {value}
          </a>
        ))}
      </nav>
      {(shown.length > 0 ? shown : NAMES).map((name) => {
        const Section = SECTIONS[name]
        return (
          <div key={name} data-gallery={name}>
            <Section />
          </div>
        )
      })}
    </WordsProvider>
  )
}

function onHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

function withLook(key: string, value: string, hash: string): string {
  const query = new URLSearchParams(QUERY)
  query.set(key, value)
  return `?${query}#${hash}`
}
