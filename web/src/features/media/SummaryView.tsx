import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './SummaryView.module.css'
import type { Line, Summary } from './summary'

const BARS_MOST = 4
/** The number of events that fit without scrolling beside the scoreboard, whatever is above them. */
const LINES_WITHOUT_SCROLLING = 3
const ICONS = { goal: 'soccer', missed: 'void', corner: 'flag', part: 'tick' } as const

/** The most important statistics and events of a match, as reported by the scoreboard page. */
export function SummaryView({ summary, withBars }: { summary: Summary; withBars: boolean }) {
  const { t } = useTranslation()
  const hasBars = withBars && summary.bars.length > 0
  // There are many corners, and the bars above show their number.
  const lines = summary.lines.filter(({ mark }) => mark !== 'corner')
  return (
    <div className={cx(styles.summary, withBars && styles.parts)}>
      {hasBars && (
        <dl className={styles.bars}>
          {summary.bars.slice(0, BARS_MOST).map(({ label, figures, share }) => (
            <div key={label} className={styles.bar}>
              <dt>{label}</dt>
              <dd>{figures[0]}</dd>
              <dd className={styles.away}>{figures[1]}</dd>
              <svg className={styles.line} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect className={styles.homeBar} width={Math.max(0, share * 100 - 0.5)} height="4" />
                <rect
                  className={styles.awayBar}
                  x={share * 100 + 0.5}
                  width={Math.max(0, 99.5 - share * 100)}
                  height="4"
                />
              </svg>
            </div>
          ))}
        </dl>
      )}
      {withBars && (
        <p className={styles.title} aria-hidden="true">
          {t('trackerTimeline')}
        </p>
      )}
      {lines.length > 0 && (
        <ol
          className={styles.lines}
          aria-label={t('trackerTimeline')}
          // Without it the keyboard could not scroll the list.
          tabIndex={withBars && lines.length > LINES_WITHOUT_SCROLLING ? 0 : undefined}
        >
          {lines.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is always replaced as a whole.
            <StoryLine key={place} line={line} />
          ))}
        </ol>
      )}
      {lines.length === 0 && <p className={styles.none}>{t('trackerNothingYet')}</p>}
    </div>
  )
}

function StoryLine({ line: { when, mark, kind, side, text, detail } }: { line: Line }) {
  const isCard = mark === 'yellow' || mark === 'red'
  return (
    <li className={styles.story} data-side={side}>
      <span className={styles.when}>{when}</span>
      {isCard ? <i className={mark === 'red' ? styles.red : styles.yellow} /> : <Icon name={ICONS[mark]} size="s" />}
      <span className={styles.what}>
        {kind && text !== kind && <span className="vh">{`${kind}: `}</span>}
        <span>{text}</span>
      </span>
      <span className={styles.detail}>{detail}</span>
    </li>
  )
}
