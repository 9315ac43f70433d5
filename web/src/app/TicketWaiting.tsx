import { useState } from 'react'
import { EmptyTicket } from '../features/ticket/EmptyTicket'
import styles from './App.module.css'

/** The empty ticket of a first visit, while the ticket is loaded. Whether others have pairs is not known yet. */
export function TicketWaiting() {
  const [isFirstVisit] = useState(hasNothingStored)
  return isFirstVisit ? (
    <div className={styles.waiting}>
      <EmptyTicket />
    </div>
  ) : null
}

function hasNothingStored(): boolean {
  try {
    return window.localStorage.length === 0
  } catch {
    return false
  }
}
