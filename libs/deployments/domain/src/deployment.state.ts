import type { DeploymentCreated, Environment, Options } from './deployment.events.js';

type LiveStatus = 'provisioning' | 'starting' | 'ready' | 'unavailable' | 'draining' | 'stopped';

/** Facts of a deployment in every status. */
export interface DeploymentFacts {
  /** Version of its stream: its number of events. */
  readonly version: number;
  readonly label: string;
  readonly stage: DeploymentCreated['data']['stage'];
  readonly accountId: string | null;
  readonly provider: DeploymentCreated['data']['provider'];
  readonly options: Options;
  /** The current revision. */
  readonly environment: Environment;
  /** A re-pin in progress. */
  readonly next: { readonly environment: Environment; readonly requestedAt: string } | null;
  /** When the current revision became current. */
  readonly activatedAt: string;
  /** Older revisions whose jobs have not all ended. */
  readonly retiring: readonly Environment[];
  /** The highest revision that was ever pinned. */
  readonly lastRevision: number;
  readonly isPaused: boolean;
  /** When the newest start was asked for. */
  readonly startedAt: string;
  /** Milliseconds of the last starts, oldest first. */
  readonly starts: readonly number[];
  readonly statusSince: string;
  readonly reason: string;
  readonly createdAt: string;
}

interface UncreatedDeployment {
  readonly status: 'uncreated';
}
export interface LiveDeployment {
  readonly status: LiveStatus;
  readonly facts: DeploymentFacts;
}
interface DeletedDeployment {
  readonly status: 'deleted';
  readonly facts: DeploymentFacts;
}
export type CreatedDeployment = LiveDeployment | DeletedDeployment;
export type DeploymentState = UncreatedDeployment | CreatedDeployment;

/** The environments that need workers: a job is accepted only for one of them. */
export function environmentsInUse({ status, facts }: CreatedDeployment): readonly Environment[] {
  if (status === 'stopped' || status === 'deleted') return [];
  return [facts.environment, ...(facts.next === null ? [] : [facts.next.environment]), ...facts.retiring];
}

export const uncreated: UncreatedDeployment = { status: 'uncreated' };
