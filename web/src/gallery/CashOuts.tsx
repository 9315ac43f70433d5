import { betsOf } from '../../e2e/fixture/bettor'
import type { CashOutValue } from '../domain/cashOut'
import { BetCard } from '../features/bets/BetCard'
import { CashOut } from '../features/cashOut/CashOut'
import {
  answerMissing,
  cashOutConfirmed,
  cashOutEnded,
  confirmationAsked,
  ruleChanged,
} from '../features/cashOut/cashOutSlice'
import { connectionLost } from '../platform/connection/connectionSlice'
import { cashOutValuesReceived } from '../platform/connection/hubMessages'
import { readBet } from '../protocol/readBets'
import styles from './gallery.module.css'
import { Specimen } from './Specimen'
import { press } from './steps'

const { tickets } = betsOf()
const SINGLE = readBet(tickets[0])
/** The second pair is in the offer of the fixture. */
const OFFERED = { ...SINGLE, pairs: SINGLE.pairs.map((pair, place) => (place === 1 ? { ...pair, oddId: 9000 } : pair)) }
const SYSTEM = readBet(tickets[1])
const { ticketId } = SINGLE

const value = (fields: Partial<CashOutValue>, nowMs = Date.now()) =>
  cashOutValuesReceived([{ ticketId, value: '12.98', winTax: '0.35', net: '12.63', reasons: [], ...fields }], nowMs)
const UP = value({ value: '13.60', winTax: '0.41', net: '13.19' })
const DOWN = value({ value: '11.40', winTax: '0.19', net: '11.21' })
const NONE = { value: null, winTax: null, net: null }
const SUSPENDED = value({ ...NONE, reasons: ['not_bettable', 'match_suspended'] })
const ask = (percent = 100) => confirmationAsked({ ticketId, percent, nowMs: 0 })
const confirm = (delaySeconds: number) => cashOutConfirmed({ ticketId, nowMs: Date.now(), delaySeconds })
const end = (flow: Parameters<typeof cashOutEnded>[0]['flow']) => cashOutEnded({ ticketId, flow })
const rule = ruleChanged({ ticketId, revision: 9, rule: { atLeast: '20.00' } })

const STATES = {
  available: [],
  'the value rises': [UP],
  'the value falls': [DOWN],
  'no value yet': [connectionLost()],
  unavailable: [SUSPENDED],
  'to be confirmed': [ask()],
  'to be confirmed, a half': [ask(50)],
  'the value fell while it was to be confirmed': [ask(), DOWN],
  'in its delay': [ask(), confirm(5)],
  'after its delay': [ask(), confirm(0)],
  'without an answer': [ask(), confirm(0), answerMissing(ticketId)],
  'a part is paid': [end({ stage: 'paid', paid: '6.32' })],
  'settled first': [end({ stage: 'settled', state: 'won' })],
  rejected: [end({ stage: 'failed', reason: 'match_suspended', text: null })],
  'not cashed out': [end({ stage: 'failed', reason: null, text: null })],
  'with a rule': [rule],
} as const

const OPTIONS = [press('[aria-expanded]')]
const HALF = [...OPTIONS, press('[aria-pressed="false"]:nth-of-type(2)')]
const FORMULA = [...OPTIONS, press('summary')]

/** The cash-out of a bet. */
export function CashOuts() {
  return (
    <section className={styles.section} style={{ '--least': '42rem' } as React.CSSProperties}>
      <h2>Cash-out</h2>
      {Object.entries(STATES).map(([is, actions]) => (
        <Specimen key={is} of="CashOut" is={is} actions={actions} isOnSurface>
          <CashOut bet={SINGLE} />
        </Specimen>
      ))}
      <Specimen of="CashOut" is="options" steps={OPTIONS} isOnSurface>
        <CashOut bet={SINGLE} />
      </Specimen>
      <Specimen of="CashOut" is="options, a half" steps={HALF} isOnSurface>
        <CashOut bet={SINGLE} />
      </Specimen>
      <Specimen of="CashOut" is="options, only the whole bet" steps={OPTIONS} isOnSurface>
        <CashOut bet={{ ...SINGLE, remaining: { bruto: '1.00', taxedStake: '0.95' } }} />
      </Specimen>
      <Specimen of="CashOut" is="options, with a rule" steps={OPTIONS} actions={[rule]} isOnSurface>
        <CashOut bet={SINGLE} />
      </Specimen>
      <Specimen
        of="CashOut"
        is="options, a rule while unavailable"
        steps={OPTIONS}
        actions={[rule, SUSPENDED]}
        isOnSurface
      >
        <CashOut bet={SINGLE} />
      </Specimen>
      <Specimen
        of="CashOut"
        is="formula"
        steps={FORMULA}
        actions={[value({ value: '15.52', winTax: '0.60', net: '14.92' })]}
        isOnSurface
      >
        <CashOut bet={OFFERED} />
      </Specimen>
      <Specimen of="CashOut" is="formula of a system, unavailable" steps={FORMULA} isOnSurface>
        <CashOut bet={SYSTEM} />
      </Specimen>
      <Specimen of="CashOut" is="in its card">
        <BetCard bet={SINGLE} isOpenAtFirst={false} cashOut={<CashOut bet={SINGLE} />} />
      </Specimen>
    </section>
  )
}
