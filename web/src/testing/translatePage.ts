/** Does what a browser's translator does: replaces each text node by elements of its own with the text. */
export function translatePage(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (walker.nextNode()) {
    texts.push(walker.currentNode)
  }
  for (const text of texts.filter(({ nodeValue }) => nodeValue?.trim())) {
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = text.nodeValue
    outer.append(inner)
    text.parentNode?.replaceChild(outer, text)
  }
}
