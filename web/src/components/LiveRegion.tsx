/**
 * Says a text to screen readers, when they are done with what they say. It stands in the page from the start: a region
 * that comes together with its text is not heard everywhere.
 */
export function LiveRegion({ text }: { text: string }) {
  return (
    <div className="vh" role="status" aria-live="polite" aria-atomic="true">
      {text}
    </div>
  )
}
