import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderWithProviders } from '../testing/renderWithProviders'
import { TicketWaiting } from './TicketWaiting'

const TEXT = 'Odaberite kvotu i par će se pojaviti ovdje.'

afterEach(() => localStorage.clear())

test('a first visit sees an empty ticket at once', () => {
  localStorage.clear()
  renderWithProviders(<TicketWaiting />)
  expect(screen.getByText(TEXT)).toBeTruthy()
})

test('who has been here before sees no ticket until it is known', () => {
  localStorage.setItem('cn-theme', '"dark"')
  renderWithProviders(<TicketWaiting />)
  expect(screen.queryByText(TEXT)).toBeNull()
})
