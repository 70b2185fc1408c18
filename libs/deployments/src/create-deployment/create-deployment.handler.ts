import { Injectable } from '@nestjs/common';
import { refuseChange } from '@heddle/contracts-messages';
import type { DeploymentRefusal, NewDeployment } from '@heddle/contracts-messages';
import { createDeployment, labelProblem } from '@heddle/deployments-domain';
import { checkedOptions, environmentRefusal, unknownCatalogue } from '../change-deployment/check-options.js';
import { refusalOf } from '../change-deployment/refusals.js';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import type { StoredDeployment } from '../commit-events/deployment-log.js';
import { StoredCatalogues } from '../commit-events/stored-catalogues.js';
import { OwnProviders } from '../watch-workers/own-providers.js';

export type ChangeAnswer =
  | { readonly ok: true; readonly deployment: StoredDeployment; readonly note?: string }
  | { readonly ok: false; readonly refusal: DeploymentRefusal };

/** A new deployment, whose name nobody has had before. */
@Injectable()
export class CreateDeploymentHandler {
  constructor(
    private readonly log: DeploymentLog,
    private readonly catalogues: StoredCatalogues,
    private readonly providers: OwnProviders,
  ) {}

  async handle({ label, stage, accountId, provider, environment, options }: NewDeployment): Promise<ChangeAnswer> {
    const problem = labelProblem(label);
    if (problem !== null) return { ok: false, refusal: refuseChange('option', { case: 'label', problem, label }) };
    const refusal = environmentRefusal(environment);
    if (refusal !== null) return { ok: false, refusal };
    const chosen = provider ?? this.providers.default;
    if (!this.providers.has(chosen)) {
      const offered = this.providers.default;
      return { ok: false, refusal: refuseChange('option', { case: 'provider', provider: chosen, offered }) };
    }
    const checked = checkedOptions(options);
    if (!checked.ok) return checked;
    const pinned = await this.catalogues.pin(environment);
    if (pinned === null) return { ok: false, refusal: unknownCatalogue(environment) };
    const data = {
      label,
      stage,
      accountId,
      provider: chosen,
      options: checked.value,
      environment: { ...pinned, revision: 1 },
      reason: 'created by the operator',
    };
    const answer = await this.log.create({ label, stage }, (state) => createDeployment(state, data));
    return answer.ok ? answer : { ok: false, refusal: refusalOf(answer, { label, stage }, 'create') };
  }
}
