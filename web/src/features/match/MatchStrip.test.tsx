import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { MatchStrip } from './MatchStrip'

const MATCHES = Array.from({ length: 200 }, (_, place) =>
  aMatch({ id: place + 1, order: place, home: `Momčad ${place + 1}` }),
)

const tiles = () => screen.getAllByRole('link')
const names = () => tiles().map((tile) => Number(tile.querySelector('span')?.textContent?.split(' ').at(-1)))
const focus = (place: number) => act(() => tiles().at(place)?.focus())

async function open(matchId: number, matches = MATCHES) {
  const store = storeWith(anOffer([aSport({ matches })]))
  renderWithProviders(<MatchStrip matchId={matchId} />, { store })
  await screen.findAllByRole('link')
}

test('of hundreds of matches those around the open one are there', async () => {
  await open(100)
  expect(tiles().length).toBe(31)
  expect([names().at(0), names().at(-1)]).toEqual([85, 115])
  expect(tiles()[15]?.getAttribute('aria-current')).toBe('true')
})

test('tabbing leads to the last one and to the first one', async () => {
  await open(100)
  for (let steps = 0; steps < 10; steps += 1) {
    focus(-1)
    focus(0)
  }
  expect(names()).toEqual(MATCHES.map(({ id }) => id))
})

test('scrolling to an end brings more', async () => {
  await open(1)
  const strip = screen.getByRole('navigation')
  expect(tiles().length).toBe(16)
  Object.defineProperties(strip, { scrollLeft: { value: 1400, writable: true }, scrollWidth: { value: 2000 } })
  Object.defineProperty(strip, 'clientWidth', { value: 300 })
  fireEvent.scroll(strip)
  expect(tiles().length).toBe(31)
})

test('the matches of a small sport are all there', async () => {
  await open(3, MATCHES.slice(0, 10))
  expect(tiles().length).toBe(10)
})
