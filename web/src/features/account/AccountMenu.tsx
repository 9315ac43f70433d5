import type { ReactNode } from 'react'
import { later } from '../../components/later'
import type { TriggerProps } from '../../components/overlay'
import { Popover } from '../../components/Popover'
import { useTranslation } from '../../i18n/useTranslation'

/** A separate chunk, because the first paint does not need it. */
const AccountPanel = later(async () => (await import('./AccountPanel')).AccountPanel)

export interface AccountMenuProps {
  trigger: (props: TriggerProps) => ReactNode
  className?: string | undefined
}

/** The account button and its panel. */
export function AccountMenu({ trigger, className }: AccountMenuProps) {
  const { t } = useTranslation()
  return (
    <Popover label={t('account')} trigger={trigger} className={className}>
      {(close) => <AccountPanel onDone={close} />}
    </Popover>
  )
}
