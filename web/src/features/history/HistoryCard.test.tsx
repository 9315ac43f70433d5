import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { HistoryCard } from './HistoryCard'

const MATCH = aMatch({ id: 17, markets: [aMarket({ odds: [anOdd({ id: 101, type: '1', value: 1850 })] })] })

beforeEach(() => {
  // The server never answers; these tests do not need the data.
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function show() {
  const onClose = vi.fn()
  const button = document.createElement('button')
  renderWithProviders(<HistoryCard asked={{ oddId: 101, button, how: 'byPress' }} onClose={onClose} />, {
    store: storeWith(anOffer([aSport({ matches: [MATCH] })])),
  })
  return onClose
}

test('Escape closes the card, and nothing below it', () => {
  const onClose = show()
  const below = vi.fn((event: Event) => event.defaultPrevented)
  document.addEventListener('keydown', below)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  document.removeEventListener('keydown', below)
  expect(onClose).toHaveBeenCalledOnce()
  expect(below).toHaveReturnedWith(true)
})

test('Escape in a dialog in front of it is the dialog’s', () => {
  const onClose = show()
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('open', '')
  fireEvent.keyDown(dialog, { key: 'Escape' })
  dialog.remove()
  expect(onClose).not.toHaveBeenCalled()
})
