/**
 * Announces a text to screen readers, after their current speech. It must be mounted from the start: some screen
 * readers ignore a region that appears together with its text.
 */
export function LiveRegion({ text }: { text: string }) {
  return (
    <div className="vh" role="status" aria-live="polite" aria-atomic="true">
      {text}
    </div>
  )
}
