import type { DeploymentName } from './deployments.port.js';
import type { DeploymentId } from './ids.js';
import { SELF_HOSTED_PRINCIPAL } from './principal.js';
import type { WorkerPool } from './work.port.js';

/** Where a request is served: decided by its host, and from then on by the deployment of its principal. */
export type Surface = 'self-hosted' | 'managed' | 'dedicated';

/** What a surface does that another does not (decisions, Surfaces; accounts). */
export interface SurfaceCapabilities {
  /** One static token or none, or API keys of accounts. */
  readonly credential: 'static' | 'keys';
  /** Content is answered with the bytes, or with a redirect to a signed URL. */
  readonly content: 'bytes' | 'redirect';
  /** The logs route: none, always 204, or what was captured. */
  readonly logs: 'no-route' | 'empty' | 'captured';
  /** Partner credentials of jobs that have not ended: in memory of the jobs service, or in sealed rows. */
  readonly partnerCredentials: 'memory' | 'sealed';
  /** Jobs may cost credits, and 402 `insufficient_credits` may be answered. */
  readonly credits: boolean;
  /** Submissions may be refused with `deployment_not_ready` or `deployment_unavailable`. */
  readonly deploymentStates: boolean;
  /** Retention of uploads without `expires_in`, in seconds; null: until they are deleted. */
  readonly uploadRetentionS: number | null;
  /** Only requests that name this machine, from pages of this machine (reliability 4.1). */
  readonly originGuard: boolean;
  /** `/` describes the service to a person who opens the address; elsewhere it is an unknown route. */
  readonly startPage: boolean;
}

const MONTH_S = 30 * 86_400;

const BEHIND_KEYS = {
  credential: 'keys',
  content: 'redirect',
  credits: true,
  uploadRetentionS: MONTH_S,
  originGuard: false,
  startPage: false,
} as const;

/** The differences between surfaces, in one table. */
export const SURFACES: Readonly<Record<Surface, SurfaceCapabilities>> = {
  'self-hosted': {
    credential: 'static',
    content: 'bytes',
    logs: 'no-route',
    partnerCredentials: 'memory',
    credits: false,
    deploymentStates: false,
    uploadRetentionS: null,
    originGuard: true,
    startPage: true,
  },
  managed: { ...BEHIND_KEYS, logs: 'empty', partnerCredentials: 'sealed', deploymentStates: false },
  dedicated: { ...BEHIND_KEYS, logs: 'captured', partnerCredentials: 'memory', deploymentStates: true },
};

/** The managed surface counts as one deployment. */
export const MANAGED_DEPLOYMENT_ID = '00000000-0000-7000-8000-000000000003' as DeploymentId;

/** The deployment of a dedicated service without a host of deployments: it serves every host (accounts, Surface of a request). */
export const DEFAULT_DEPLOYMENT: DeploymentName = { label: 'default', stage: 'production' };

/** Without a host of deployments every host of a dedicated service is the deployment `default`. */
export function servesEveryHost(settings: {
  readonly surface: Surface;
  readonly deploymentHost: string | null;
}): boolean {
  return settings.surface === 'dedicated' && settings.deploymentHost === null;
}

/** The surface that a deployment belongs to: every deployment with an id of its own is a dedicated one. */
export function surfaceOf(deploymentId: DeploymentId): Surface {
  if (deploymentId === SELF_HOSTED_PRINCIPAL.deploymentId) return 'self-hosted';
  return deploymentId === MANAGED_DEPLOYMENT_ID ? 'managed' : 'dedicated';
}

/** The pool of the self-hosted surface. */
export const SELF_HOSTED_POOL: WorkerPool = { deploymentId: SELF_HOSTED_PRINCIPAL.deploymentId, revision: 0 };

/** The pool of workers that serves the managed surface, and no deployment. */
const SHARED_POOL: WorkerPool = { deploymentId: MANAGED_DEPLOYMENT_ID, revision: 0 };

/**
 * The pool of workers that name no deployment: the self-hosted one, or the shared one of managed. Null on dedicated, where
 * each worker belongs to one deployment.
 */
export function defaultPoolOf(surface: Surface): WorkerPool | null {
  if (surface === 'dedicated') return null;
  return surface === 'managed' ? SHARED_POOL : SELF_HOSTED_POOL;
}
