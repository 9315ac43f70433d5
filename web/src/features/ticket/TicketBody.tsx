import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { Tabs } from '../../components/Tabs'
import { useMediaQuery } from '../../components/useMediaQuery'
import { CONSENTS, type Consent, freePairs } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { BARRED_ID } from '../../platform/account/ExclusionLine'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { Payout } from '../../platform/ticket/Payout'
import { selectIsSinglesOn, singlesTurned } from '../../platform/ticket/singlesSlice'
import { wished } from '../../platform/ticket/ticketSlice'
import { SYSTEM_FROM, selectIsBeforeTax, selectTicket } from '../../platform/ticket/totalsSelectors'
import { Combinations } from './Combinations'
import { EmptyTicket } from './EmptyTicket'
import { LostPairs } from './LostPairs'
import { OnePressField } from './OnePressField'
import { Pair } from './Pair'
import { clearTicket } from './restore'
import { SinglesPayout, SinglesStake } from './SinglesSums'
import { StakeField } from './StakeField'
import { Sums } from './Sums'
import styles from './TicketBody.module.css'
import { type TicketPart, TicketTitle } from './TicketTitle'

/** In low windows the optional sums start hidden, to show more pairs. Not in a sheet, which scrolls as a whole. */
const ALL_SUMS = '(min-height: 60em), (max-width: 59.9375em)'

/** The tab beside the types of the server's ticket. */
const SINGLES = 2

/** What the ticket shows and does by other features. */
export interface TicketSlots {
  /** The button that places the ticket, with the reason why it cannot. */
  placeButton: ReactNode
  onPlace: () => void
  onShare: () => void
  /** The open bets, and how many they are if that is known; null if nobody is logged in. */
  openBets?: { readonly count: number | null; readonly content: ReactNode } | null
}

interface TicketBodyProps {
  slots: TicketSlots
  titleId: string
  onClose?: () => void
  grab?: ReactNode
}

/** The content of the ticket, for the column of the page and for the sheet. */
export function TicketBody({ slots, titleId, onClose, grab }: TicketBodyProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const ticket = useAppSelector(selectTicket)
  const isBeforeTax = useAppSelector(selectIsBeforeTax)
  const panelId = useId()
  const isHigh = useMediaQuery(ALL_SUMS)
  /** Whether all sums are shown; null if the bettor has not chosen. */
  const [isWhole, setWhole] = useState<boolean | null>(null)
  const count = ticket.pairs.length
  const isSingles = useAppSelector(selectIsSinglesOn)
  /** Whether no bet can be placed. The line in place of the button says why. */
  const isBarred = useAppSelector(selectExclusion) !== null
  const isSystem = ticket.type === 1 && !isSingles
  const [chosen, setPart] = useState<TicketPart>('ticket')
  const part = slots.openBets ? chosen : 'ticket'
  // A picked odd is shown at once.
  const [pairs, setPairs] = useState(ticket.pairs)
  if (pairs !== ticket.pairs) {
    setPairs(ticket.pairs)
    if (ticket.pairs.some(({ oddId }) => !pairs.some((pair) => pair.oddId === oddId))) {
      setPart('ticket')
    }
  }
  const hasTools = count > 0 && part === 'ticket'
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.altKey && !event.repeat && part === 'ticket') {
      event.preventDefault()
      slots.onPlace()
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles key events that bubble up from inside.
    <div className={styles.body} data-ticket="" tabIndex={-1} onKeyDown={onKeyDown}>
      <div className={styles.head}>
        {grab}
        <TicketTitle
          titleId={titleId}
          panelId={`${panelId}-part`}
          pairs={count}
          openBets={slots.openBets?.count}
          part={part}
          onTurn={setPart}
        />
        <span className={styles.tools}>
          {hasTools && <IconButton label={t('shareTicket')} icon="share" onClick={slots.onShare} />}
          {hasTools && (
            <IconButton
              label={t('clearTicket')}
              icon="bin"
              onClick={() => {
                document.getElementById(titleId)?.focus()
                dispatch(clearTicket)
              }}
            />
          )}
          {onClose && <IconButton label={t('closeTicket')} icon="chevronDown" onClick={onClose} />}
        </span>
      </div>
      <div
        className={styles.part}
        id={`${panelId}-part`}
        {...(slots.openBets && { role: 'tabpanel', 'aria-label': t(part === 'ticket' ? 'ticket' : 'betsOpen') })}
      >
        {slots.openBets && part === 'openBets' ? (
          slots.openBets.content
        ) : (
          <>
            <div className={styles.tabs}>
              <Tabs
                label={t('ticketType')}
                panelId={panelId}
                tabs={[
                  { value: 0, text: t('standard') },
                  { value: 1, text: t('system') },
                  { value: SINGLES, text: t('singles') },
                ]}
                value={isSingles ? SINGLES : ticket.type}
                onChange={(type) => {
                  dispatch(singlesTurned(type === SINGLES))
                  dispatch(wished({ wish: 'type', type: type === 1 ? 1 : 0 }))
                  if (type === 1 && count < SYSTEM_FROM) {
                    dispatch(noticeShown('systemFromTwo'))
                  }
                }}
              />
            </div>
            <div
              className={styles.panel}
              id={panelId}
              role="tabpanel"
              aria-label={t(isSingles ? 'singles' : isSystem ? 'system' : 'standard')}
            >
              <OnePressField />
              <LostPairs />
              {count === 0 ? (
                <EmptyTicket />
              ) : (
                <>
                  <ol className={styles.pairs} aria-label={t('pairs')}>
                    {ticket.pairs.map((pair) => (
                      <Pair key={pair.matchId} pair={pair} canFix={isSystem} isSingle={isSingles} />
                    ))}
                  </ol>
                  <div className={styles.foot}>
                    <fieldset className={styles.choices} role="presentation" disabled={isBarred}>
                      {isSystem && (
                        <Combinations
                          combinations={ticket.systemCombinations}
                          selected={ticket.combination}
                          free={freePairs(ticket)}
                          fixed={ticket.numberOfFixPairs}
                        />
                      )}
                      <ConsentField consent={ticket.consent} isBarred={isBarred} />
                      <StakeField hasQuick={!isSystem || grab !== undefined} isEach={isSingles} isBarred={isBarred} />
                    </fieldset>
                    {isSingles ? (
                      <SinglesStake />
                    ) : (
                      <Sums
                        ticket={ticket}
                        isBeforeTax={isBeforeTax}
                        isBarred={isBarred}
                        isWhole={isWhole ?? isHigh}
                        onTurn={setWhole}
                      />
                    )}
                  </div>
                  <div className={styles.act}>
                    <div className={styles.payout}>
                      {isBarred ? null : isSingles ? (
                        <SinglesPayout isBeforeTax={isBeforeTax} />
                      ) : (
                        <Payout
                          amount={ticket.numberOfOdds > 0 ? ticket.possiblePayout : null}
                          stake={ticket.stake}
                          isMost={isSystem}
                          isBeforeTax={isBeforeTax}
                        />
                      )}
                    </div>
                    {slots.placeButton}
                  </div>
                </>
              )}
            </div>
          </>
        )}
      </div>
    </div>
  )
}

const CONSENT_TEXTS = { higher: 'consentHigher', any: 'consentAll', none: 'consentAsk' } as const

function ConsentField({ consent, isBarred }: { consent: Consent; isBarred: boolean }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const id = useId()
  return (
    <div className={styles.consent}>
      <label htmlFor={id}>{t('consentTitle')}</label>
      <span className={styles.select}>
        <select
          id={id}
          className={styles.options}
          aria-describedby={isBarred ? BARRED_ID : undefined}
          value={consent}
          onChange={(event) => {
            const chosen = CONSENTS.find((each) => each === event.currentTarget.value)
            if (chosen) {
              dispatch(wished({ wish: 'consent', consent: chosen }))
            }
          }}
        >
          {CONSENTS.map((each) => (
            <option key={each} value={each}>
              {t(CONSENT_TEXTS[each])}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size="s" className={styles.chevron} />
      </span>
    </div>
  )
}
