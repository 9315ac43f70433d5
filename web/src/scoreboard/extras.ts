/**
 * Optional data for trackers that no document describes yet. The drawings accept it, nothing reads it from a message:
 * until then every field is absent, and so is its mark.
 */
import type { Side } from '../domain/offer'

export interface Extras {
  /** The side that attacks now. */
  readonly attack?: Side
  /** The winner of each point, by set. */
  readonly rallies?: readonly (readonly Side[])[]
  /** Tennis: the games by set. `less` is the number of points of the loser, at most 3. */
  readonly games?: readonly (readonly { readonly winner: Side; readonly less: number; readonly isBreak: boolean }[])[]
  /** Baseball: the bases with a runner (1 to 3), and the outs. */
  readonly bases?: { readonly taken: readonly number[]; readonly outs: number }
  /** Snooker: the points that the balls on the table are still worth. */
  readonly onTable?: number
  /** MMA: the side in control by ten seconds; 0 is neither. */
  readonly control?: readonly (Side | 0)[]
}

export const NO_EXTRAS: Extras = {}
