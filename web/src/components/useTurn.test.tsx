/** Elements that show their content in turns. */
import { render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import { eventually } from '../testing/eventually'
import { useTurn } from './useTurn'

function Row({ name }: { name: string }) {
  const place = useRef<HTMLLIElement>(null)
  const isDue = useTurn(place)
  return <li ref={place}>{isDue && name}</li>
}

const filled = () => screen.getAllByRole('listitem').flatMap(({ textContent }) => textContent || [])

test('of many elements that come at once two are filled at once, and the others follow without further ones', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  render(names.map((name) => <Row key={name} name={name} />))
  expect(filled()).toEqual(['a', 'b'])
  await eventually(() => expect(filled()).toEqual(names))
})

test('one that leaves before its turn takes none', async () => {
  const row = (name: string) => <Row key={name} name={name} />
  const { rerender } = render(['a', 'b', 'c', 'd', 'e', 'f'].map(row))
  rerender(['a', 'b', 'c', 'f'].map(row))
  await eventually(() => expect(filled()).toEqual(['a', 'b', 'c', 'f']))
})
