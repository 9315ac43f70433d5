/**
 * Announces a text to screen readers, after their current speech or, if it is urgent, at once. It must be mounted from the start: some screen
 * readers ignore a region that appears together with its text.
 */
export function LiveRegion({ text, isUrgent = false }: { text: string; isUrgent?: boolean | undefined }) {
  return (
    <div
      className="vh"
      role={isUrgent ? 'alert' : 'status'}
      aria-live={isUrgent ? 'assertive' : 'polite'}
      aria-atomic="true"
    >
      {text}
    </div>
  )
}
