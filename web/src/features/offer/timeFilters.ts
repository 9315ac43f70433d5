import type { IconName } from '../../components/Icon'
import type { FilterPage } from '../../platform/view/viewUrl'

/** The filters by time: the icon and the texts of each. */
export const TIME_FILTERS = [
  { page: 'soon', icon: 'clock', text: 'soon', short: 'soonShort' },
  { page: 'starting', icon: 'play', text: 'starting', short: 'startingShort' },
  { page: 'ended', icon: 'flag', text: 'justEnded', short: 'ended' },
] as const satisfies readonly { page: FilterPage; icon: IconName; text: string; short: string }[]
