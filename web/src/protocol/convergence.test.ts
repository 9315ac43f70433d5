import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_OFFER, type Offer } from '../domain/offer'
import { applyChanges } from '../domain/offerChanges'
import { allRows, lookup } from '../domain/table'
import { type Choose, ReferenceServer } from '../testing/referenceServer'
import { applyMessages } from './applyFrame'
import type { OfferMessage } from './frames'
import { loadOffer, matchMessages } from './loadOffer'

/** A client that watches everything, with its open resync requests. */
class Client {
  offer: Offer = EMPTY_OFFER
  resync = new Set<number>()
  resyncAll = false

  load(server: ReferenceServer): void {
    this.offer = loadOffer(server.offer())
    for (const id of server.matchIds()) {
      const told = server.match(id)
      if (told) {
        this.receive(matchMessages(this.offer, told), server)
      }
    }
  }

  receive(messages: OfferMessage[], server: ReferenceServer): void {
    const watched = new Set([...server.matchIds(), ...allRows(this.offer.matches).map(({ id }) => id)])
    const applied = applyMessages(this.offer, messages, watched)
    this.offer = applyChanges(this.offer, applied.changes)
    this.resyncAll ||= applied.resyncAll
    for (const id of applied.resync) {
      this.resync.add(id)
    }
  }

  /** Answers the resync requests without further losses. */
  heal(server: ReferenceServer): void {
    this.receive(server.checks(), server)
    // A client requests the detail of an open match until it has it.
    for (const match of allRows(this.offer.matches)) {
      if (match.layout === null) {
        this.resync.add(match.id)
      }
    }
    const answers = this.resyncAll ? server.resyncAll() : [...this.resync].flatMap((id) => server.resync(id))
    this.resync.clear()
    this.resyncAll = false
    this.receive(answers, server)
  }
}

/** The comparable part of the offer: the tables without their order. */
function shown({ offer }: Client) {
  const sorted = <T extends { id: number }>(rows: T[]) => rows.sort((a, b) => a.id - b.id)
  return {
    matches: sorted(allRows(offer.matches)),
    markets: sorted(allRows(offer.markets)),
    odds: sorted(allRows(offer.odds)),
    parts: sorted(allRows(offer.parts)),
  }
}

function fresh(server: ReferenceServer): Client {
  const client = new Client()
  client.load(server)
  return client
}

/** Random choices from fast-check, which it can shrink. */
function chooser(numbers: Iterator<number>): Choose {
  return (below) => (numbers.next().value ?? 0) % below
}

const seeds = fc.infiniteStream(fc.nat(9999))
const steps = fc.array(
  fc.record({
    fate: fc.constantFrom('arrives', 'arrives', 'arrives', 'lost', 'doubled', 'late'),
    healed: fc.nat(9).map((number) => number === 0),
  }),
  { minLength: 1, maxLength: 40 },
)

describe('a client that has the offer and all frames since', () => {
  it('has what a fresh one gets', () => {
    fc.assert(
      fc.property(seeds, fc.nat(40), (numbers, count) => {
        const server = new ReferenceServer(chooser(numbers))
        const client = fresh(server)
        for (let step = 0; step < count; step += 1) {
          // A new match is opened, so its detail is requested.
          const messages = server.step()
          const come = messages.flatMap((message) => (message.kind === 'match' ? server.resync(message.match.id) : []))
          client.receive([...messages, ...come], server)
          expect(client.resync.size).toBe(0)
          expect(client.resyncAll).toBe(false)
          expect(shown(client)).toEqual(shown(fresh(server)))
        }
      }),
      { numRuns: 150 },
    )
  })

  it('has it whatever was lost, doubled or late, once what shows it is answered', () => {
    fc.assert(
      fc.property(seeds, steps, (numbers, happenings) => {
        const server = new ReferenceServer(chooser(numbers))
        const client = fresh(server)
        const late: OfferMessage[][] = []
        for (const { fate, healed } of happenings) {
          const messages = server.step()
          switch (fate) {
            case 'lost':
              break
            case 'late':
              late.push(messages)
              break
            case 'doubled':
              client.receive(messages, server)
              client.receive(messages, server)
              break
            default:
              client.receive(messages, server)
              client.receive(late.splice(0).flat(), server)
          }
          if (healed) {
            client.heal(server)
          }
        }
        client.receive(late.flat(), server)
        client.heal(server)
        client.heal(server)
        expect(shown(client)).toEqual(shown(fresh(server)))
      }),
      { numRuns: 300 },
    )
  })

  it('has it when the offer was asked for while frames came in', () => {
    fc.assert(
      fc.property(seeds, fc.nat(20), fc.nat(20), (numbers, earlier, later) => {
        const server = new ReferenceServer(chooser(numbers))
        const kept: OfferMessage[][] = []
        let answer = server.offer()
        for (let step = 0; step < earlier + later; step += 1) {
          if (step === earlier) {
            answer = server.offer()
          }
          kept.push(server.step())
        }
        const client = new Client()
        client.offer = loadOffer(answer)
        client.receive(kept.flat(), server)
        client.heal(server)
        client.heal(server)
        const rows = (held: Client) =>
          shown(held).matches.map(({ id, rowMarketIds, score }) => [id, rowMarketIds, score])
        expect(rows(client)).toEqual(rows(fresh(server)))
      }),
      { numRuns: 150 },
    )
  })
})

it('a match that did not change stays the very same object', () => {
  fc.assert(
    fc.property(seeds, (numbers) => {
      const server = new ReferenceServer(chooser(numbers), 4)
      const client = fresh(server)
      const before = client.offer
      const messages = server.step()
      const touched = new Set(messages.flatMap((message) => ('matchId' in message ? [message.matchId] : [])))
      client.receive(messages, server)
      for (const match of allRows(before.matches)) {
        if (!touched.has(match.id)) {
          expect(lookup(client.offer.matches, match.id)).toBe(match)
        }
      }
    }),
  )
})
