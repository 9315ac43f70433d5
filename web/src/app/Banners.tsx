import { ExclusionBar } from '../features/account/ExclusionBar'
import { ConnectionBanner } from '../features/connection/ConnectionBanner'

/** The bars below the header. */
export function Banners() {
  return (
    <>
      <ExclusionBar />
      <ConnectionBanner />
    </>
  )
}
