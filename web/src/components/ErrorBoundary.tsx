import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Shown when something below has failed while rendering. */
  fallback: ReactNode
  children: ReactNode
}

/** Keeps a failure in a part of the page from leaving it blank. React has this for classes alone. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
