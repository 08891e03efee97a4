import type { AccountDetails } from '../../accounts/profile/profile.ts'

export const AccountPicture = ({ details }: { details: Pick<AccountDetails, 'id' | 'icon'> }) => (
  <img src={details.icon ?? `/icons/${details.id}.svg`} alt="" width="64" height="64" />
)
