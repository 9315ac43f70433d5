/** The hub client and the calls of the live offer. They load while the first paint is rendered. */
import { fetchMatch, fetchOffer } from '../api/liveApi'
import { HubClient } from '../protocol/hubClient'

export const hubParts = { HubClient, fetchMatch, fetchOffer }
