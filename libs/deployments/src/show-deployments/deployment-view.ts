import type {
  AccountId,
  DeploymentName,
  DeploymentView,
  DirectoryEntry,
  OpenJobs,
  PolledPool,
} from '@heddle/contracts-messages';
import { awaitsWorker, coldStartS } from '@heddle/deployments-domain';
import type { StoredDeployment } from '../commit-events/deployment-log.js';
import type { OwnProviders } from '../watch-workers/own-providers.js';
import type { ViewSources } from './view-sources.js';

export function directoryEntry({ id, state }: StoredDeployment): DirectoryEntry {
  const { facts, status } = state;
  const { engine, catalogueHash, packages, revision } = facts.environment;
  return {
    deploymentId: id,
    label: facts.label,
    stage: facts.stage,
    accountId: facts.accountId as AccountId | null,
    status,
    awaitsWorker: awaitsWorker(state),
    statusSince: facts.statusSince,
    reason: facts.reason,
    version: facts.version,
    startedAt: facts.startedAt,
    revision,
    catalogue: { engine, catalogueHash, packages },
    coldStartS: coldStartS(facts),
    publicDemo: facts.options.publicDemo,
    limits: facts.options.limits,
  };
}

/** The deployment with what is known of its workers and jobs; those of other deployments do not count. */
export function deploymentView(
  deployment: StoredDeployment,
  pools: readonly PolledPool[],
  jobs: readonly OpenJobs[],
  { settings, providers }: ViewSources,
): DeploymentView {
  const { id, state } = deployment;
  const { facts, status } = state;
  const own = jobs.filter(({ deploymentId }) => deploymentId === id);
  return {
    ...facts.options,
    deploymentId: id,
    host: hostOf(facts, settings.host),
    label: facts.label,
    stage: facts.stage,
    accountId: facts.accountId as AccountId | null,
    status,
    reason: reasonOf(deployment, providers),
    statusSince: facts.statusSince,
    provider: facts.provider,
    workers: sumOf(pools.filter(({ deploymentId }) => deploymentId === id).map(({ workers }) => workers)),
    waiting: sumOf(own.map(({ waiting }) => waiting)),
    running: sumOf(own.map(({ running }) => running)),
    revision: facts.environment.revision,
    nextRevision: facts.next?.environment.revision ?? null,
    retiringRevisions: facts.retiring.map(({ revision }) => revision),
    environment: facts.environment,
    coldStartS: coldStartS(facts),
    createdAt: facts.createdAt,
  };
}

/** Only operators see what the provider knows: clients are not told where an engine is. */
function reasonOf(deployment: StoredDeployment, providers: OwnProviders): string {
  const { facts } = deployment.state;
  const now = awaitsWorker(deployment.state) ? providers.waitsFor(deployment, facts.environment) : null;
  const { next } = facts;
  const ofNext = next === null ? null : providers.waitsFor(deployment, next.environment);
  const told = ofNext === null ? [] : [`revision ${next!.environment.revision} waits: ${ofNext}`];
  return [now ?? facts.reason, ...told].join('; ');
}

function hostOf({ label, stage }: DeploymentName, below: string | null): string | null {
  if (below === null) return null;
  return stage === 'production' ? `${label}.${below}` : `${label}.stg.${below}`;
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
