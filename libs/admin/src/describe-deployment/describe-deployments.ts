import { Inject, Injectable, Optional } from '@nestjs/common';
import { ACCOUNTS_PORT, CREDITS_PORT, DEPLOYMENT_REFUSAL_CODES, priceIn, rejected } from '@heddle/contracts-messages';
import type {
  AccountId,
  AccountsPort,
  Answer,
  CreditsPort,
  DeploymentAnswer,
  DeploymentPrice,
  DeploymentView,
} from '@heddle/contracts-messages';

/** A deployment with what other contexts know of it. */
export interface DescribedDeployment {
  readonly deployment: DeploymentView;
  readonly account: string | null;
  readonly price: DeploymentPrice;
  /** A sentence for the operator, of a command that changed nothing. */
  readonly note?: string;
}

/** What the commands show of a deployment beside the deployment itself. */
@Injectable()
export class DescribeDeployments {
  constructor(
    @Inject(ACCOUNTS_PORT) private readonly accounts: Pick<AccountsPort, 'namesOf'>,
    @Optional() @Inject(CREDITS_PORT) private readonly credits: Pick<CreditsPort, 'pricesOf'> | undefined,
  ) {}

  async describe(answer: Promise<DeploymentAnswer>): Promise<Answer<DescribedDeployment>> {
    const found = await answer;
    if (!found.ok) {
      const { kind, message } = found.refusal;
      return rejected({ code: DEPLOYMENT_REFUSAL_CODES[kind], message });
    }
    const described = (await this.describeAll([found.value]))[0]!;
    return { ok: true, value: found.note === undefined ? described : { ...described, note: found.note } };
  }

  async describeAll(deployments: readonly DeploymentView[]): Promise<readonly DescribedDeployment[]> {
    if (deployments.length === 0) return [];
    const owners = deployments.flatMap(({ accountId }) => (accountId === null ? [] : [accountId]));
    const names: ReadonlyMap<AccountId, string> = owners.length === 0 ? new Map() : await this.accounts.namesOf(owners);
    const prices = await this.credits?.pricesOf(deployments.map(({ deploymentId }) => deploymentId));
    return deployments.map((deployment) => ({
      deployment,
      account: deployment.accountId === null ? null : (names.get(deployment.accountId) ?? null),
      price: priceIn(prices, deployment.deploymentId),
    }));
  }
}
