import type { DeploymentId } from '@heddle/contracts-messages';
import type { Environment } from '@heddle/deployments-domain';

/** Workers of one deployment and revision that should run now. */
export interface WantedPool {
  readonly deploymentId: DeploymentId;
  readonly environment: Environment;
  readonly slots: number;
  readonly startDelayS: number;
}

/**
 * Starts and stops workers. It is told the whole of what is wanted, again and again: what is missing is started, what is
 * not named any more hands its jobs back and stops.
 */
export interface WorkerProvider {
  /** Resolves with the pools whose start was taken, as `poolKey`: their workers are on their way, or there. */
  want(pools: readonly WantedPool[]): Promise<ReadonlySet<string>>;
}

export const WORKER_PROVIDERS = Symbol('WorkerProviders');
/** The providers of this process by their names; a deployment of another provider waits. */
export type WorkerProviders = Readonly<Partial<Record<'local' | 'external', WorkerProvider>>>;

export function poolKey({ deploymentId, environment }: Pick<WantedPool, 'deploymentId' | 'environment'>): string {
  return `${deploymentId} ${environment.revision}`;
}

/** `external`: workers come by themselves, so every start is taken at once. */
export const externalProvider: WorkerProvider = {
  want: (pools) => Promise.resolve(new Set(pools.map(poolKey))),
};
