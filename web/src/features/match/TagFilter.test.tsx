import { act, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { expect, test, vi } from 'vitest'
import bs from '../../../../config/translations/bs.json'
import en from '../../../../config/translations/en.json'
import hr from '../../../../config/translations/hr.json'
import sr from '../../../../config/translations/sr.json'
import { WordsProvider } from '../../i18n/useTranslation'
import { selectMoreOdds } from '../../platform/offer/offerSelectors'
import { matchOpened, tagSelected } from '../../platform/view/viewSlice'
import { aColumn, aMarket, aMatch, anOffer, aSport, aTotal } from '../../testing/builders'
import { makeI18n } from '../../testing/makeI18n'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { TagFilter } from './TagFilter'

test.each([
  ['hr', hr, ['Sve 9 kvota', 'Glavno 3 kvote', 'Golovi 6 kvota']],
  ['en', en, ['All 9 odds', 'Glavno 3 odds', 'Golovi 6 odds']],
  ['bs', bs, ['Sve 9 kvota', 'Glavno 3 kvote', 'Golovi 6 kvota']],
  ['sr', sr, ['Све 9 квота', 'Glavno 3 квоте', 'Golovi 6 квота']],
] as const)(
  'the tags count odds, as the row does with those it shows, and their names say so (%s)',
  (lang, texts, names) => {
    const main = aMarket()
    const match = aMatch({ id: 17, markets: [main, aTotal('1.5'), aTotal('2.5'), aTotal('3.5')] })
    const store = storeWith(anOffer([aSport({ matches: [match], preferred: [aColumn()] })]), { opened: [match] })
    store.dispatch(matchOpened(17))
    render(
      <WordsProvider i18n={makeI18n(lang, texts)}>
        <Provider store={store}>
          <TagFilter matchId={17} />
        </Provider>
      </WordsProvider>,
    )
    expect(selectMoreOdds(store.getState(), 17, 1)).toBe(6)
    expect(screen.getAllByRole('radio').map((chip) => chip.getAttribute('aria-label'))).toEqual(names)
  },
)

test('the chosen tag is scrolled into view', () => {
  const match = aMatch({ id: 17, markets: [aMarket(), aTotal('1.5')] })
  const store = storeWith(anOffer([aSport({ matches: [match], preferred: [aColumn()] })]), { opened: [match] })
  const intoView = vi.spyOn(Element.prototype, 'scrollIntoView')
  renderWithProviders(<TagFilter matchId={17} />, { store })
  expect(intoView).not.toHaveBeenCalled()
  act(() => {
    store.dispatch(tagSelected('group.Golovi'))
  })
  const chosen = screen.getByRole('radio', { checked: true })
  expect([chosen.textContent, intoView.mock.contexts]).toEqual([expect.stringContaining('Golovi'), [chosen]])
})
