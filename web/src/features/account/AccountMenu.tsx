import type { ReactNode } from 'react'
import { later } from '../../components/later'
import { Popover, type PopoverTriggerProps } from '../../components/Popover'
import { useTranslation } from '../../i18n/useTranslation'

/** A chunk of its own: nobody needs it for the first look. */
const AccountPanel = later(async () => (await import('./AccountPanel')).AccountPanel)

export interface AccountMenuProps {
  trigger: (props: PopoverTriggerProps) => ReactNode
  className?: string | undefined
}

/** The account behind one button. */
export function AccountMenu({ trigger, className }: AccountMenuProps) {
  const { t } = useTranslation()
  return (
    <Popover label={t('account')} trigger={trigger} className={className}>
      {(close) => <AccountPanel onDone={close} />}
    </Popover>
  )
}
