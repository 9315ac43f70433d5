/**
 * The state of the reality check, which is missing until its reducer is loaded (`addReality`), and the bettor's answer.
 */
import { createAction } from '@reduxjs/toolkit'
import type { RealityCheck } from '../../domain/realityCheck'

export interface RealityState {
  /** Null while the bettor need not answer. */
  check: RealityCheck | null
  /** The name of its bettor; null if it is not known yet. */
  owner: string | null
  /** The answer that the hub has not acknowledged. `failed`: it must be given again. */
  answer: 'none' | 'sending' | 'failed'
}

export const NO_REALITY_CHECK: RealityState = { check: null, owner: null, answer: 'none' }

/** The bettor has read the check and goes on. */
export const continued = createAction('reality/continued')
