import type { MemberRole } from '@heddle/contracts-registry';
import { OneOf, RequiredText } from '../read-request/body-rules.js';
import type { GivenFields } from '../read-request/given-fields.js';

const ROLES: readonly MemberRole[] = ['owner', 'member'];
const MAX_ACCOUNT = 63;

/** Who becomes a member. `account`: name or id of an account. */
export class MemberBody {
  @RequiredText(MAX_ACCOUNT)
  account: unknown;

  @OneOf(ROLES)
  role: unknown;

  constructor(fields: GivenFields) {
    this.account = fields['account'];
    this.role = fields['role'];
  }

  toMember(): { readonly account: string; readonly role: MemberRole } {
    return { account: this.account as string, role: this.role as MemberRole };
  }
}
