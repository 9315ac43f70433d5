import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeStore } from '../../app/store'
import { DEFAULT_RULES } from '../../domain/ticket/rules'
import { memberSeen } from '../../platform/account/accountSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { quickStakeSet } from '../../platform/preferences/preferencesSlice'
import { rulesTold } from '../../platform/ticket/rulesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { StakeField } from './StakeField'

function show(stake = '10.00') {
  const store = makeStore()
  store.dispatch(ticketReceived(aTicket({ stake, pairs: [aPair({})] })))
  renderWithProviders(<StakeField hasQuick={true} />, { store })
  return { store, user: userEvent.setup(), stake: () => selectChoice(store.getState()).stake }
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Uplata' })
const hint = () => document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent ?? ''

describe('an amount that is pasted', () => {
  it.each([
    ['1.000,50', '1000.50', /^Pročitano kao 1\.000,50\s€\.$/],
    ['1,000.50', '1000.50', /^Pročitano kao 1\.000,50\s€\.$/],
    ['1.000,50 €', '1000.50', /^Pročitano kao 1\.000,50\s€\.$/],
    ['1,234.567', '1234.56', /^Pročitano kao 1\.234,56\s€\.$/],
    ['1000001', '1000000.00', /^Najveća uplata je 1\.000\.000,00\s€\.$/],
    ['12,345', '12.34', /^Skraćeno na dvije decimale: 12,34\s€\.$/],
    ['deset', '10.00', /^Upišite iznos znamenkama\.$/],
    ['25', '25.00', /^$/],
  ])('%s is %s, and the field says what it changed', async (text, stake, says) => {
    const shown = show()
    await shown.user.click(field())
    await shown.user.paste(text)
    expect(shown.stake()).toBe(stake)
    expect(hint()).toMatch(says)
  })
})

describe('the hint', () => {
  it('stays when the field is left, and goes with the next amount', async () => {
    const { user } = show()
    await user.click(field())
    await user.paste('1.000,50')
    await user.tab()
    expect(field().value).toBe('1000,50')
    expect(hint()).toMatch(/^Pročitano kao/)
    await user.click(screen.getByRole('button', { name: /^\+10/ }))
    expect(hint()).toBe('')
  })

  it('says which stake is in force after one that is too low or empty', async () => {
    const { user } = show()
    await user.clear(field())
    await user.type(field(), '0,5')
    await user.tab()
    expect(hint()).toMatch(/^Vrijedi i dalje 10,00\s€\.$/)
    expect(field().getAttribute('aria-invalid')).toBe('false')
  })

  it('goes when the stake changes elsewhere', async () => {
    const { store, user } = show()
    await user.click(field())
    await user.paste('1000001')
    expect(hint()).not.toBe('')
    act(() => {
      store.dispatch(ticketReceived(aTicket({ stake: '7.00', pairs: [aPair({})] })))
      for (const { id } of store.getState().ticket.wishes) {
        store.dispatch({ type: 'ticket/wishSettled', payload: id })
      }
    })
    expect(hint()).toBe('')
  })

  it.each([
    ['1.50', 'Smanji za 1', '1.00', /^Najmanja uplata je 1,00/],
    ['49.50', 'Povećaj za 1', '50.00', /^Najveća uplata je 50,00/],
  ])('says that a step from %s met a limit', async (from, button, to, says) => {
    const { store, user, stake } = show(from)
    act(() => {
      store.dispatch(rulesTold({ rules: { ...DEFAULT_RULES, maxStake: '50.00' }, delays: {} }))
    })
    await user.click(screen.getByRole('button', { name: button }))
    expect(stake()).toBe(to)
    expect(hint()).toMatch(says)
  })
})

describe('a quick amount', () => {
  const press = (user: ReturnType<typeof userEvent.setup>, name: RegExp) =>
    user.click(screen.getByRole('button', { name }))

  it('adds to the stake each time, up to the largest stake', async () => {
    const { store, user, stake } = show('10.00')
    await press(user, /^\+5\s€$/)
    await press(user, /^\+5\s€$/)
    expect(stake()).toBe('20.00')
    act(() => {
      store.dispatch(rulesTold({ rules: { ...DEFAULT_RULES, maxStake: '50.00' }, delays: {} }))
    })
    await press(user, /^\+50\s€$/)
    expect(stake()).toBe('50.00')
    expect(hint()).toMatch(/^Najveća uplata je 50,00/)
  })

  it('is one of the own amounts', async () => {
    const { store, user, stake } = show('10.00')
    act(() => {
      store.dispatch(quickStakeSet({ place: 2, amount: '7.50' }))
    })
    await press(user, /^\+7,50\s€$/)
    expect(stake()).toBe('17.50')
  })

  it('and Max sets the balance, which only a user has', async () => {
    const { store, user, stake } = show('10.00')
    expect(screen.queryByRole('button', { name: 'Max' })).toBeNull()
    act(() => {
      store.dispatch(memberSeen({ name: 'ana', balance: '123.45', currency: 'EUR' }))
    })
    await press(user, /^Max$/)
    expect(stake()).toBe('123.45')
    expect(hint()).toBe('')
  })
})
