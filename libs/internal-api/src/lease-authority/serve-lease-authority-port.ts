import type { LeaseAuthorityPort } from '@heddle/contracts-messages';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { CALLS, JOB_FOLLOWERS } from '../internal-calls.js';
import { leaseIn } from './worker-lease.js';

/** The serving half of LeaseAuthorityPort. */
export function serveLeaseAuthorityPort(routes: CallRoutes, authority: LeaseAuthorityPort): void {
  routes.route({
    kind: 'plain',
    path: CALLS.leaseAuthority.holder,
    openTo: JOB_FOLLOWERS,
    handle: async ({ head }) => ({ head: await authority.holderOf(leaseIn(head)) }),
  });
}
