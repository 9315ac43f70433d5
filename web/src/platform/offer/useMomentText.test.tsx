import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { useMomentText } from './useMomentText'

const SOCCER = 1
const TENNIS = 5
const ELAPSED = { kind: 'stopped', seconds: 5880 } as const
const TEXT = { kind: 'text', text: '20:30' } as const

function Moment(props: { match: Parameters<typeof useMomentText>[0] }) {
  return <p>{useMomentText(props.match)}</p>
}

test.each([
  [
    'the minute of soccer',
    { sportId: SOCCER, status: 'second_half', clock: { kind: 'stopped', seconds: 4000 } },
    "67'",
  ],
  ['the set of tennis, not the time gone by', { sportId: TENNIS, status: 'set_3', clock: ELAPSED }, '3. set'],
  ['the status where there is no clock', { sportId: SOCCER, status: 'half_time', clock: null }, 'Poluvrijeme'],
  ['when it begins, where it has not', { sportId: TENNIS, status: 'not_started', clock: TEXT }, '20:30'],
  ['the time gone by where nothing else is known', { sportId: TENNIS, status: null, clock: ELAPSED }, '1:38 h'],
] as const)('is %s', (_, match, text) => {
  renderWithProviders(<Moment match={match} />)
  expect(screen.getByText(text)).toBeTruthy()
})
