import { type KeyboardEvent, useId } from 'react'
import { cx } from '../../components/cx'
import { moveAmongButtons } from '../../components/listKeys'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './TicketTitle.module.css'

export const PARTS = ['ticket', 'openBets'] as const
export type TicketPart = (typeof PARTS)[number]

interface TicketTitleProps {
  titleId: string
  panelId: string
  pairs: number
  /** The number of open bets, if it is known; undefined without a login. */
  openBets: number | null | undefined
  part: TicketPart
  onTurn: (part: TicketPart) => void
}

/** The title of the ticket. For a user it is the first of two tabs; the second one has the open bets. */
export function TicketTitle({ titleId, panelId, pairs, openBets, part, onTurn }: TicketTitleProps) {
  const { t } = useTranslation()
  const id = useId()
  if (openBets === undefined) {
    return (
      <>
        <h2 className={styles.title} id={titleId} tabIndex={-1}>
          {t('ticket')}
        </h2>
        <Count of={pairs} text={t('pairCount', { count: pairs })} isOn />
      </>
    )
  }
  const turn = (event: KeyboardEvent<HTMLElement>) => {
    if (moveAmongButtons(event.currentTarget, event.key)) {
      event.preventDefault()
      const place = [...event.currentTarget.children].indexOf(document.activeElement as Element)
      onTurn(PARTS[place] ?? part)
    }
  }
  return (
    <div className={styles.parts}>
      <h2 className="vh" id={titleId} tabIndex={-1}>
        {t('ticket')}
      </h2>
      <div className={styles.tabs} role="tablist" aria-labelledby={titleId} tabIndex={-1} onKeyDown={turn}>
        {PARTS.map((each) => (
          <button
            key={each}
            id={`${id}-${each}`}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={each === part}
            aria-controls={panelId}
            tabIndex={each === part ? 0 : -1}
            onClick={() => onTurn(each)}
          >
            <span>{t(each === 'ticket' ? 'ticket' : 'betsOpen')}</span>
            {each === 'ticket' ? (
              <Count of={pairs} text={t('pairCount', { count: pairs })} isOn={part === 'ticket'} />
            ) : (
              openBets !== null && <Count of={openBets} isOn={part === 'openBets'} />
            )}
          </button>
        ))}
      </div>
    </div>
  )
}

function Count({ of, text, isOn }: { of: number; text?: string; isOn: boolean }) {
  return (
    <span className={cx(styles.count, of > 0 && isOn && styles.some)}>
      <span aria-hidden={text !== undefined}>{of}</span>
      {text && <span className="vh">{text}</span>}
    </span>
  )
}
