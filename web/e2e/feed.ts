/**
 * Changes that a test makes in the feed of its program. The feed never changes by itself (`crates/feed/src/scripted.rs`), so a
 * page shows only changes of the test.
 */
import { expect, type Locator } from '@playwright/test'
import type { Program } from './program'

/** The position of the ball in per cent of the pitch, the side that has it and the action (docs/protocol.md). */
export interface Ball {
  readonly x: number
  readonly y: number
  readonly side: number
  readonly action: number
}

export class Feed {
  readonly #program: Program

  constructor(program: Program) {
    this.#program = program
  }

  price(oddId: string, value: number): void {
    this.#program.command({ price: { odd: Number(oddId), thousandths: Math.round(value * 1000) } })
  }

  suspended(matchId: string, suspended: boolean): void {
    this.#program.command({ suspended: { match: Number(matchId), suspended } })
  }

  /** A higher score than before counts as a goal. */
  score(matchId: string, score: readonly [number, number]): void {
    this.#program.command({ score: { match: Number(matchId), score } })
  }

  /** Settles the market of an odd: this odd has won. The market leaves the offer. */
  result(oddId: string): void {
    this.#program.command({ result: { odd: Number(oddId) } })
  }

  ball(matchId: string, ball: Ball): void {
    this.#program.command({ ball: { match: Number(matchId), ...ball } })
  }

  /** Resets every match to its state at the start of the program, and waits until that is done. */
  async reset(): Promise<void> {
    this.#program.command({ reset: {} })
    await expect.poll(() => this.#program.offer()).toBe(this.#program.firstOffer)
  }

  off(): void {
    this.#program.turnFeed('off')
  }

  on(): void {
    this.#program.turnFeed('on')
  }

  /** Raises the price of a visible odd until the page marks the movement; a mark lasts four seconds. */
  async movePrice(odd: Locator): Promise<void> {
    const id = await idOf(odd)
    // By id, because a locator such as "the first open odd" may match another one later.
    const moved = odd.page().locator(`[data-odd-id="${id}"]:visible`).first()
    const shown = async () => Number(await moved.locator('[data-price]').textContent())
    let value = await shown()
    await expect(async () => {
      value += 0.1
      this.price(id, value)
      await expect(moved).toHaveAttribute('data-movement', 'up', { timeout: 2000 })
    }).toPass({ timeout: 30_000 })
    await expect.poll(shown).toBeCloseTo(value, 1)
  }
}

/** The id of an odd on the page. */
export async function idOf(odd: Locator): Promise<string> {
  const id = await odd.getAttribute('data-odd-id')
  if (id === null) {
    throw new Error('it is no odd')
  }
  return id
}
