import { betOf, betsOf, pageOf } from '../../e2e/fixture/bettor'
import { LoginPage } from '../features/account/LoginPage'
import { BetCard } from '../features/bets/BetCard'
import { BetsPage } from '../features/bets/BetsPage'
import { readBet } from '../protocol/readBets'
import { CashOuts } from './CashOuts'
import styles from './gallery.module.css'
import { Specimen } from './Specimen'
import { press, type } from './steps'
import { type Answer, json, never, status } from './world'

const BETS = betsOf().tickets.map(readBet)

const OPEN = json(pageOf('open'))
/** Settled bets of which none is void. */
const NO_VOID = json({ tickets: betsOf().tickets.slice(2, 4), next: null })

const SUBMIT = [press('[type="submit"]')]
const OTHER = [press('[role="radio"]:last-child')]
const SEARCH = [type('[name="number"]', 'K7Q-4M2Y'), press('[type="submit"]')]

const UNKNOWN_NUMBER: Answer = (url) => (url.pathname.endsWith('/tickets') ? OPEN(url) : status(404)(url))

/** Past bets, login, registration and cash-out. */
export function Bets() {
  return (
    <>
      <section className={styles.section} style={{ '--least': '32rem' } as React.CSSProperties}>
        <h2>Bets, account</h2>
        {BETS.map((bet) => (
          <Specimen key={bet.ticketId} of="BetCard" is={`${bet.state}${bet.systemType > 0 ? ', system' : ''}`}>
            <BetCard bet={bet} isOpenAtFirst={false} />
          </Specimen>
        ))}
        {BETS.map((bet) => (
          <Specimen
            key={bet.ticketId}
            of="BetCard"
            is={`${bet.state}${bet.systemType > 0 ? ', system' : ''}, opened`}
            answer={json(betOf(bet.ticketId))}
          >
            <BetCard bet={bet} isOpenAtFirst />
          </Specimen>
        ))}
        <Specimen of="BetCard" is="corrected, amounts not loaded" answer={status(503)}>
          {BETS.filter(({ settlement }) => settlement?.number === 2).map((bet) => (
            <BetCard key={bet.ticketId} bet={bet} isOpenAtFirst />
          ))}
        </Specimen>
        <Specimen of="BetsPage" is="number not found" answer={UNKNOWN_NUMBER} steps={SEARCH}>
          <BetsPage />
        </Specimen>
        <Specimen of="BetsPage" is="loading" answer={never}>
          <BetsPage />
        </Specimen>
        <Specimen of="BetsPage" is="failed" answer={status(503)}>
          <BetsPage />
        </Specimen>
        <Specimen of="BetsPage" is="none open" answer={json({ tickets: [], next: null })}>
          <BetsPage />
        </Specimen>
        <Specimen of="BetsPage" is="none of a status" answer={NO_VOID} steps={OTHER}>
          <BetsPage />
        </Specimen>
        <Specimen of="LoginPage" is="login, a ticket waits" isWide isPage query="page=login&anonymous=1">
          <LoginPage how="login" />
        </Specimen>
        <Specimen
          of="LoginPage"
          is="register, nothing filled in"
          isWide
          isPage
          query="slip=empty&anonymous=1"
          steps={SUBMIT}
        >
          <LoginPage how="register" />
        </Specimen>
      </section>
      <CashOuts />
    </>
  )
}
