import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { connectionLost } from '../features/connection/connectionSlice'
import { selectMatch } from '../features/offer/offerSelectors'
import { selectOpenMatchId } from '../features/view/viewSelectors'
import { matchClosed, matchOpened } from '../features/view/viewSlice'
import { aMatch, anOffer, aSport } from '../testing/builders'
import { renderWithProviders, storeWith } from '../testing/renderWithProviders'
import { useAppSelector } from './hooks'
import { MatchView } from './MatchView'

vi.mock('../features/media/MediaPanels', () => ({ MediaPanels: () => null }))

const MATCH = aMatch({ id: 17 })

/** As the app does: a match is shown while the offer has it. */
function Main() {
  const isShown = useAppSelector((state) => selectMatch(state, 17) !== undefined && selectOpenMatchId(state) === 17)
  return <main tabIndex={-1}>{isShown && <MatchView matchId={17} />}</main>
}

function open() {
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]), { opened: [MATCH] })
  store.dispatch(matchOpened(17))
  renderWithProviders(
    <>
      <Main />
      <input aria-label="elsewhere" />
    </>,
    { store },
  )
  return store
}

test('a match that goes with the connection leaves the focus around it', async () => {
  const store = open()
  screen.getByRole('button', { name: 'Natrag na ponudu' }).focus()
  await act(async () => store.dispatch(connectionLost()))
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('a focus elsewhere stays there', async () => {
  const store = open()
  screen.getByRole('textbox').focus()
  await act(async () => store.dispatch(connectionLost()))
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})

test('that of a match which is closed is left to the list', async () => {
  const store = open()
  screen.getByRole('button', { name: 'Natrag na ponudu' }).focus()
  await act(async () => store.dispatch(matchClosed()))
  expect(document.activeElement).toBe(document.body)
})
