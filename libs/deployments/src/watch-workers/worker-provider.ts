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
 * Starts and stops workers. Each call says what is wanted of the deployments that changed; the others stay as
 * they are. Missing workers are started; those that are no longer wanted hand their jobs back and stop.
 */
export interface WorkerProvider {
  /** Called with each look, also if nothing changed: a start that is due, or that failed, is made then. */
  want(changed: ReadonlyMap<DeploymentId, readonly WantedPool[]>): Promise<void>;
  /** Its start was taken: its workers are on their way, or there. */
  isTaken(pool: Pick<WantedPool, 'deploymentId' | 'environment'>): boolean;
  /** Why its workers do not poll yet, for the operator and no client; null: nothing is known. */
  waitsFor?(pool: Pick<WantedPool, 'deploymentId' | 'environment'>): string | null;
}

export const WORKER_PROVIDERS = Symbol('WorkerProviders');
/** The providers of this process by their names; a deployment of another provider waits. */
export type WorkerProviders = Readonly<Partial<Record<'local' | 'external', WorkerProvider>>>;

/** `external`: workers come by themselves, so every start is taken at once. */
export const externalProvider: WorkerProvider = {
  want: () => Promise.resolve(),
  isTaken: () => true,
};
