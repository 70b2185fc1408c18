import { declareSettings, readDeclared, positiveSeconds } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import type { DeploymentId } from '@heddle/contracts-messages';

/** What an operator sets of deployments. */
export const DEPLOYMENTS_SETTINGS = declareSettings('jobs', {
  deploymentSilence: positiveSeconds('DEPLOYMENT_SILENCE_S', 30, {
    meaning: 'time without a worker after which a deployment is unavailable',
  }),
  repinTimeout: positiveSeconds('REPIN_TIMEOUT_S', 600, {
    meaning: 'time after which a re-pin without a worker of the new revision is given up',
  }),
});

type Values = SettingValues<typeof DEPLOYMENTS_SETTINGS>;

/** What an operator set, in the context's own terms: durations in milliseconds. */
export function deploymentsSettings(values: Values): Pick<DeploymentsSettings, 'silenceMs' | 'repinTimeoutMs'> {
  return { silenceMs: values.deploymentSilence * 1_000, repinTimeoutMs: values.repinTimeout * 1_000 };
}

const DEFAULTS = deploymentsSettings(readDeclared(DEPLOYMENTS_SETTINGS, {}));

/** Settings of deployments. The defaults come from the declarations. */
export class DeploymentsSettings {
  readonly silenceMs: number = DEFAULTS.silenceMs;
  readonly repinTimeoutMs: number = DEFAULTS.repinTimeoutMs;
  /** Below which the hosts of deployments are; null: none. */
  readonly host: string | null = null;
  /** The deployment `default` serves every host: made at the first start with so many slots, never deleted. Null: there is none. */
  readonly everyHost: { readonly slots: number } | null = null;
  /** The pool that serves the managed surface; null: the surface has none. */
  readonly sharedPool: DeploymentId | null = null;
  /** How often workers and jobs are looked at. */
  readonly lookMs: number = 500;
  /** Submissions that a gateway let pass before it knew of a drain or of a new revision are waited for so long. */
  readonly settleMs: number = 2_000;

  constructor(values: Partial<DeploymentsSettings> = {}) {
    Object.assign(this, values);
  }
}
