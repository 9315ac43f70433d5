/**
 * Makes states such as `:hover` visible without a pointer: each such CSS rule is copied to also match elements with
 * `data-forced="hover"`.
 */
const PSEUDO = /:(hover|focus-visible|active)(?![\w-])/g

/** The states that can be forced. */
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
