import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeStore } from '../../app/store'
import { DEFAULT_RULES } from '../../domain/ticket/rules'
import type { TicketInfo } from '../../domain/ticket/ticket'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { ticketReceived } from '../connection/hubMessages'
import { Payout } from './Payout'
import { rulesTold } from './rulesSlice'
import { wished } from './ticketSlice'
import { selectIsBeforeTax } from './totalsSelectors'

it.each([
  ['19.17', false, /^I kad dobije, vraća se 19,17\s€ od 20,00\s€\.$/],
  ['19.17', true, /^I kad dobije, vraća se najviše 19,17\s€ od 20,00\s€\.$/],
  ['20.00', false, null],
  ['20.01', false, null],
  [null, false, null],
])('a payout of %s for a stake of 20.00 (system: %s) warns of a loss only if it is one', (amount, isMost, warning) => {
  renderWithProviders(<Payout amount={amount} isMost={isMost} stake="20.00" />)
  const found = screen.queryByText(/^I kad dobije/)
  expect(found?.textContent ?? null).toEqual(warning && expect.stringMatching(warning))
})

it('a payout without its taxes says so', () => {
  renderWithProviders(<Payout amount="2.20" stake="1.00" isBeforeTax />)
  expect(screen.getByText('Moguća isplata, prije poreza')).toBeTruthy()
})

const TAXED: TicketInfo = { ...aTicket({ pairs: [aPair({})] }), stakeTaxPercentage: 5 }
const RULES = { rules: DEFAULT_RULES, delays: {} }

it('the totals of an anonymous user are before taxes, those of a member with rules are not', () => {
  const store = makeStore()
  const isBeforeTax = () => selectIsBeforeTax(store.getState())
  store.dispatch(ticketReceived(aTicket({ pairs: [aPair({})] })))
  expect(isBeforeTax()).toBe(true)
  // The server calculates the ticket of a member with taxes, also before the rules are loaded here.
  store.dispatch(ticketReceived(TAXED))
  expect(isBeforeTax()).toBe(false)
  store.dispatch(wished({ wish: 'stake', text: '2.00', stake: '2.00' }))
  expect(isBeforeTax()).toBe(true)
  store.dispatch(rulesTold(RULES))
  expect(isBeforeTax()).toBe(false)
})
