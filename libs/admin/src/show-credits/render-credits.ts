import type { AccountCredits } from '@heddle/contracts-messages';

export function renderCredits(account: string): (credits: AccountCredits) => string {
  return ({ balance, reserved, granted, charged, withdrawn }) => {
    return JSON.stringify({ account, balance, reserved, granted, charged, withdrawn });
  };
}
