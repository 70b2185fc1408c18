import type { AccountId, DeploymentId } from './ids.js';

/** The caller's account and deployment: every query and every row is scoped by it (api-v2, Authentication 4). */
export interface Principal {
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
}

/** The only account and deployment of the self-hosted surface. */
export const SELF_HOSTED_PRINCIPAL: Principal = {
  accountId: '00000000-0000-7000-8000-000000000001' as AccountId,
  deploymentId: '00000000-0000-7000-8000-000000000002' as DeploymentId,
};
