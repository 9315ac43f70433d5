/**
 * Says a text to screen readers. It stands in the page from the start: a region that comes together with its text is
 * not heard everywhere.
 */
export function LiveRegion({ text, assertive = false }: { text: string; assertive?: boolean }) {
  return (
    <div
      className="vh"
      role={assertive ? 'alert' : 'status'}
      aria-live={assertive ? 'assertive' : 'polite'}
      aria-atomic="true"
    >
      {text}
    </div>
  )
}
