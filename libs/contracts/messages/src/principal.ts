import type { AccountId, DeploymentId } from './ids.js';

/** Who asks, and on which deployment: every query and every row is scoped by it (api-v2, Authentication 4). */
export interface Principal {
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
}

/** The one account and the one deployment of the self-hosted surface. */
export const SELF_HOSTED_PRINCIPAL: Principal = {
  accountId: '00000000-0000-7000-8000-000000000001' as AccountId,
  deploymentId: '00000000-0000-7000-8000-000000000002' as DeploymentId,
};
