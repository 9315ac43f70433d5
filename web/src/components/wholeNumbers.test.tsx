import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { wholeNumbers } from './wholeNumbers'

it.each([
  ['Danas 09:42, listić K7Q-4M2X', ['K7Q-4M2X']],
  ['K7Q-4M2X, V3V-TE25', ['K7Q-4M2X', 'V3V-TE25']],
  ['Listić', []],
  ['Isplata 2018-2019', []],
])('keeps the ticket numbers of %j in one piece', (text, numbers) => {
  const { container } = render(wholeNumbers(text))
  expect(container.textContent).toBe(text)
  expect(Array.from(container.querySelectorAll('.whole'), (each) => each.textContent)).toEqual(numbers)
})
