import { Inject, Injectable, Optional } from '@nestjs/common';
import { ACCOUNTS_PORT, DEPLOYMENTS_PORT, MANAGED_DEPLOYMENT_ID, refuse, rejected } from '@heddle/contracts-messages';
import type {
  AccountId,
  AccountsPort,
  Answer,
  DeploymentId,
  DeploymentName,
  DeploymentsPort,
} from '@heddle/contracts-messages';

/** Finds the ids of the names in a command. */
@Injectable()
export class FindNames {
  constructor(
    @Inject(ACCOUNTS_PORT) private readonly accounts: Pick<AccountsPort, 'idOf'>,
    /** Absent where only the managed surface is served. */
    @Optional() @Inject(DEPLOYMENTS_PORT) private readonly deployments: Pick<DeploymentsPort, 'idOf'> | undefined,
  ) {}

  async account(name: string): Promise<Answer<AccountId>> {
    const id = await this.accounts.idOf(name);
    return id === null ? rejected(refuse('not_found', { case: 'account', name })) : { ok: true, value: id };
  }

  /** Asks about an account by its id, or answers that the name is unknown. */
  async withAccount<T>(name: string, ask: (id: AccountId) => Promise<Answer<T>>): Promise<Answer<T>> {
    const id = await this.account(name);
    return id.ok ? await ask(id.value) : id;
  }

  /** As `withAccount`, for a deployment. */
  async withDeployment<T>(name: DeploymentName, ask: (id: DeploymentId) => Promise<Answer<T>>): Promise<Answer<T>> {
    const id = await this.deployment(name);
    return id.ok ? await ask(id.value) : id;
  }

  /** `managed` is a label for prices. */
  async deployment({ label, stage }: DeploymentName): Promise<Answer<DeploymentId>> {
    if (label === 'managed' && stage === 'production') return { ok: true, value: MANAGED_DEPLOYMENT_ID };
    const id = (await this.deployments?.idOf({ label, stage })) ?? null;
    return id === null ? rejected(refuse('not_found', { case: 'deployment', label, stage })) : { ok: true, value: id };
  }
}
