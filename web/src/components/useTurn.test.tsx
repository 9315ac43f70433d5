/** Elements that show their content in turns. */
import { render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import { eventually } from '../testing/eventually'
import { afterPaint } from './answerFirst'
import { useTurn } from './useTurn'

function Row({ name }: { name: string }) {
  const place = useRef<HTMLLIElement>(null)
  const isDue = useTurn(place)
  return <li ref={place}>{isDue && name}</li>
}

const filled = () => screen.getAllByRole('listitem').flatMap(({ textContent }) => textContent || [])

const row = (name: string) => <Row key={name} name={name} />

/** A page that has been painted. */
async function paintedPage() {
  const page = render(row('first'))
  expect(filled()).toEqual(['first'])
  await new Promise<void>((done) => afterPaint(done))
  return page
}

test('a screen of elements is filled at once where the page begins', () => {
  const names = Array.from({ length: 30 }, (_, place) => `${place}`)
  render(names.map(row))
  expect(filled()).toEqual(names.slice(0, 24))
})

test('of those that come later none is filled at once, and they follow in turns', async () => {
  const { rerender } = await paintedPage()
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  rerender(names.map(row))
  expect(filled()).toEqual([])
  await eventually(() => expect(filled()).toEqual(names))
})

test('one that leaves before its turn takes none', async () => {
  const { rerender } = await paintedPage()
  rerender(['a', 'b', 'c', 'd', 'e', 'f'].map(row))
  rerender(['a', 'b', 'c', 'f'].map(row))
  await eventually(() => expect(filled()).toEqual(['a', 'b', 'c', 'f']))
})
