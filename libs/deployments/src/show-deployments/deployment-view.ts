import type {
  AccountId,
  DeploymentName,
  DeploymentView,
  DirectoryEntry,
  OpenJobs,
  PolledPool,
} from '@heddle/contracts-messages';
import { coldStartS } from '@heddle/deployments-domain';
import type { StoredDeployment } from '../commit-events/deployment-log.js';

export function directoryEntry({ id, state }: StoredDeployment): DirectoryEntry {
  const { facts, status } = state;
  return {
    deploymentId: id,
    label: facts.label,
    stage: facts.stage,
    accountId: facts.accountId as AccountId | null,
    status,
    statusSince: facts.statusSince,
    reason: facts.reason,
    version: facts.version,
    startedAt: facts.startedAt,
    revision: facts.environment.revision,
    catalogue: { engine: facts.environment.engine, catalogueHash: facts.environment.catalogueHash },
    coldStartS: coldStartS(facts),
    publicDemo: facts.options.publicDemo,
    limits: facts.options.limits,
  };
}

/** The deployment with what is known of its workers and jobs; those of other deployments do not count. */
export function deploymentView(
  { id, state }: StoredDeployment,
  pools: readonly PolledPool[],
  jobs: readonly OpenJobs[],
  deploymentHost: string | null = null,
): DeploymentView {
  const { facts, status } = state;
  const own = jobs.filter(({ deploymentId }) => deploymentId === id);
  return {
    ...facts.options,
    deploymentId: id,
    host: hostOf(facts, deploymentHost),
    label: facts.label,
    stage: facts.stage,
    accountId: facts.accountId as AccountId | null,
    status,
    reason: facts.reason,
    statusSince: facts.statusSince,
    provider: facts.provider,
    workers: sum(pools.filter(({ deploymentId }) => deploymentId === id).map(({ workers }) => workers)),
    waiting: sum(own.map(({ waiting }) => waiting)),
    running: sum(own.map(({ running }) => running)),
    revision: facts.environment.revision,
    nextRevision: facts.next?.environment.revision ?? null,
    retiringRevisions: facts.retiring.map(({ revision }) => revision),
    environment: facts.environment,
    coldStartS: coldStartS(facts),
    createdAt: facts.createdAt,
  };
}

function hostOf({ label, stage }: DeploymentName, below: string | null): string | null {
  if (below === null) return null;
  return stage === 'production' ? `${label}.${below}` : `${label}.stg.${below}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
