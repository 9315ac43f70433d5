import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { readMarket } from '../../protocol/readEntities'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { usePick } from './usePick'

function Pick() {
  const pick = usePick()
  return (
    <button type="button" onClick={() => pick(17, 101)}>
      pick
    </button>
  )
}

const NONE = null

it.each([
  ['nothing', NONE],
  ['0', 0],
  ['4', 4],
])('a market of subtype %s is on the ticket as that', async (_, subtype) => {
  // The fields as on the wire: id, name, short, special, sbv, type, subtype, order, odds.
  const market = readMarket([100, 'Ishod', NONE, NONE, NONE, 1, subtype, 0, [[101, '1', 1850]]])
  const store = storeWith(anOffer([aSport({ matches: [aMatch({ id: 17, markets: [market] })] })]))
  renderWithProviders(<Pick />, { store })
  await userEvent.click(screen.getByRole('button'))
  const wish = store.getState().ticket.wishes.at(-1)?.wish
  expect(wish).toMatchObject({ wish: 'pick', pair: { marketType: 1, marketSubType: subtype } })
})
