import { type KeyboardEvent, useId } from 'react'
import { moveAmongButtons } from './listKeys'
import styles from './Tabs.module.css'

export interface Tab<Value> {
  value: Value
  text: string
}

export interface TabsProps<Value> {
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** The id of the panel that the tabs control. */
  panelId: string
}

/** A row of tabs. Arrow keys select the next tab. */
export function Tabs<Value extends string | number>({ label, tabs, value, onChange, panelId }: TabsProps<Value>) {
  const id = useId()
  const turn = (event: KeyboardEvent<HTMLElement>) => {
    if (moveAmongButtons(event.currentTarget, event.key)) {
      event.preventDefault()
      const place = [...event.currentTarget.children].indexOf(document.activeElement as Element)
      const tab = tabs[place]
      if (tab) {
        onChange(tab.value)
      }
    }
  }
  return (
    <div className={styles.tabs} role="tablist" aria-label={label} onKeyDown={turn} tabIndex={-1}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          id={`${id}-${tab.value}`}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={tab.value === value}
          aria-controls={panelId}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
        >
          {tab.text}
        </button>
      ))}
    </div>
  )
}
