import { labelFault } from '@heddle/deployments/deployment-label';
import { MAX_REPLICAS, UsageError } from '../replicas.js';

/** A deployment that the launcher makes, and the number of its workers. */
export interface AskedDeployment {
  readonly label: string;
  readonly workers: number;
}

/** Below it are the deployments of a cluster whose operator names no host. */
const DEPLOYMENT_HOST = 'run.localhost';

/** Parses `alpha=1,beta=2`. */
export function readDeployments(text: string): readonly AskedDeployment[] {
  const asked = text.split(',').map((part) => {
    const [label = '', count = ''] = part.split(/=(.*)/s, 2).map((word) => word.trim());
    const fault = labelFault(label);
    if (fault !== null) throw new UsageError(`--deployments: "${label}" is not a label. ${fault}`);
    const workers = Number(count);
    if (!/^\d+$/.test(count) || workers < 1 || workers > MAX_REPLICAS) {
      throw new UsageError(
        `--deployments: ${label} needs a whole number of workers from 1 to ${MAX_REPLICAS}, not "${count}"; for example ${label}=1`,
      );
    }
    return { label, workers };
  });
  const twice = asked.find(({ label }, at) => asked.findIndex((one) => one.label === label) < at);
  if (twice !== undefined) throw new UsageError(`--deployments names ${twice.label} twice: name each deployment once`);
  return asked;
}

/** The environment of a cluster with deployments: their surface and host, unless the operator names others. */
export function withDeployments(
  env: Readonly<Record<string, string | undefined>>,
  asked: readonly AskedDeployment[],
): Readonly<Record<string, string | undefined>> {
  if (asked.length === 0) return env;
  if (env['HEDDLE_SURFACE'] === 'self-hosted') {
    throw new UsageError('--deployments needs HEDDLE_SURFACE=managed or dedicated: self-hosted has no deployments');
  }
  return {
    ...env,
    HEDDLE_SURFACE: env['HEDDLE_SURFACE'] || 'managed',
    HEDDLE_DEPLOYMENT_HOST: env['HEDDLE_DEPLOYMENT_HOST'] || DEPLOYMENT_HOST,
  };
}
