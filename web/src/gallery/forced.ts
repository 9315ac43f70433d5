/**
 * Looks that only a pointer or a key gives, held for looking at: every rule of `:hover` and its kind goes for what
 * carries `data-forced="hover"` too.
 */
const PSEUDO = /:(hover|focus-visible|active)(?![\w-])/g

/** How an element can be forced to look. */
export type Forced = 'hover' | 'focus-visible' | 'active'

export function forceable(sheets: Iterable<CSSStyleSheet>): void {
  for (const sheet of sheets) {
    widen(sheet.cssRules)
  }
}

function widen(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule && rule.selectorText.search(PSEUDO) >= 0) {
      rule.selectorText = rule.selectorText.replace(PSEUDO, ':is(:$1, [data-forced="$1"])')
    }
    if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) {
      widen(rule.cssRules)
    }
  }
}
