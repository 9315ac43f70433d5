import { describe, expect, test } from 'vitest'
import { placeByKey, placeByLetters } from './listKeys'

describe('arrow keys, Home and End', () => {
  test.each([
    ['ArrowDown', 2, 0],
    ['ArrowUp', 0, 2],
    ['Home', 1, 0],
    ['End', 1, 2],
    ['Enter', 1, null],
  ])('%s at %i of three leads to %s', (key, place, expected) => {
    expect(placeByKey(key, place, 3)).toBe(expected)
  })
})

describe('letters', () => {
  const TEXTS = ['Konačan ishod', 'Dvostruka šansa', 'Ukupno golova', 'Kutovi', 'Šutevi u okvir', '1. poluvrijeme']

  test.each([
    ['d', 0, 1],
    ['ku', 0, 3],
    ['KU', 3, 3],
    ['suT', 0, 4],
    ['1', 0, 5],
    ['x', 0, -1],
    ['u', -1, 2],
    ['ku', -1, 3],
  ])('%s typed at %i leads to %i', (letters, place, expected) => {
    expect(placeByLetters(TEXTS, place, letters)).toBe(expected)
  })

  test('a single letter goes through the texts that begin with it', () => {
    expect(placeByLetters(TEXTS, 0, 'k')).toBe(3)
    expect(placeByLetters(TEXTS, 3, 'k')).toBe(0)
  })
})
