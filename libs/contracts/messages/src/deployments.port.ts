import { errorText } from '@heddle/contracts-api-v2';
import type { ApiErrorCode, ErrorCase, ErrorText } from '@heddle/contracts-api-v2';
import type { AccountId, DeploymentId } from './ids.js';

/** What a client's request meets at the host of a deployment (accounts, Status of a deployment). */
export type DeploymentStatus =
  'provisioning' | 'starting' | 'ready' | 'unavailable' | 'draining' | 'stopped' | 'deleted';

export type DeploymentStage = 'production' | 'staging';

/** `local`: workers inside the standalone process. `external`: workers come by themselves. */
export type DeploymentProvider = 'local' | 'external';

/** Limits of its own that a deployment may have; null: the setting. */
export interface DeploymentLimits {
  readonly maxRuntimeS: number | null;
  readonly jobRetentionS: number | null;
  readonly queueDepth: number | null;
}

/** What gateways know of a deployment, in memory. A deleted one is not in the directory. */
export interface DirectoryEntry {
  readonly deploymentId: DeploymentId;
  readonly label: string;
  readonly stage: DeploymentStage;
  /** null: every account may use it. */
  readonly accountId: AccountId | null;
  readonly status: DeploymentStatus;
  /** It takes no job only because no worker of its current revision polls. */
  readonly awaitsWorker: boolean;
  /** RFC 3339, of the database's clock. */
  readonly statusSince: string;
  readonly reason: string;
  /** Number of its events: a newer entry replaces an older one. */
  readonly version: number;
  /** When its newest start was asked for. */
  readonly startedAt: string;
  /** The current revision of its environment, and what submissions are validated against. */
  readonly revision: number;
  readonly catalogue: PinnedCatalogue;
  /** Median of its last five starts, in seconds; null before the first one. */
  readonly coldStartS: number | null;
  readonly publicDemo: boolean;
  readonly limits: DeploymentLimits;
}

/**
 * The deployments by their host's label, and by id: in memory, without a read of the database. Implementations pass
 * `libs/deployments/src/follow-directory/deployment-directory.suite.ts`.
 */
export interface DeploymentDirectory {
  find(label: string, stage: DeploymentStage): DirectoryEntry | null;
  byId(deploymentId: DeploymentId): DirectoryEntry | null;
}
export const DEPLOYMENT_DIRECTORY = Symbol('DeploymentDirectory');

/** What gateways follow to keep the directory. Implementations pass `test/internal-calls/deployments-port.suite.ts`. */
export interface DeploymentFeed {
  /**
   * What changed since `after`, an earlier answer's `next`; null: everything. An entry may come more than once. If there is
   * nothing new, it waits up to `waitMs` for a change, and then answers with no entries.
   */
  changes(after: string | null, waitMs: number): Promise<DirectoryChanges>;
}
/** Longest wait of a call for a change. */
export const MAX_FEED_WAIT_MS = 10_000;
export const DEPLOYMENT_FEED = Symbol('DeploymentFeed');

/** Deleted deployments are among the entries. */
export interface DirectoryChanges {
  readonly entries: readonly DirectoryEntry[];
  readonly next: string;
}

/** Packages of one environment, and so of one question about them. */
export const MAX_ENVIRONMENT_PACKAGES = 1_000;

/** A pinned environment: one revision of a deployment, which never changes. */
export interface EnvironmentSpec {
  readonly image: string | null;
  /** `builtin`, or the URL of a real engine. */
  readonly engine: string;
  readonly engineVersion: string | null;
  readonly packages: readonly { readonly id: string; readonly version: string }[];
  /** The node classes as `/object_info` lists them, or `blake3:<64 hex>` of a stored document; null: the engine's own. */
  readonly catalogue: Uint8Array | string | null;
  /** Beside a document: the hash that it must have. */
  readonly catalogueHash?: string;
}

export interface PinnedEnvironment extends Omit<EnvironmentSpec, 'catalogue' | 'catalogueHash'> {
  readonly revision: number;
  /** `blake3:<64 hex>` of the catalogue; null: the engine's own. */
  readonly catalogueHash: string | null;
}

/** The node classes of an environment: those of the stored document with this hash; null: the engine's own. Packages add theirs. */
export type PinnedCatalogue = Pick<PinnedEnvironment, 'engine' | 'catalogueHash' | 'packages'>;

/** The stored documents of pinned environments. Implementations pass `test/internal-calls/catalogues-port.suite.ts`. */
export interface CataloguesPort {
  /** As `/object_info` lists node classes; null: no document has this hash. */
  document(hash: string): Promise<Uint8Array | null>;
}
export const CATALOGUES_PORT = Symbol('CataloguesPort');

export interface DeploymentName {
  readonly label: string;
  readonly stage: DeploymentStage;
}

/** A deployment in a sentence, as its host begins: `alpha`, or `alpha.stg` of the stage staging. */
export function nameText({ label, stage }: { readonly label: string; readonly stage: DeploymentStage }): string {
  return stage === 'production' ? label : `${label}.stg`;
}

/** Options of `create` and `set`. */
interface DeploymentOptions {
  readonly slots: number;
  readonly publicDemo: boolean;
  /** The local provider waits so long before each start. */
  readonly startDelayS: number;
  readonly limits: DeploymentLimits;
}

/** What is given of them; the others stay as they are. */
export type GivenOptions = Partial<Omit<DeploymentOptions, 'limits'>> & { readonly limits?: Partial<DeploymentLimits> };

export interface NewDeployment extends DeploymentName {
  readonly accountId: AccountId | null;
  readonly provider: DeploymentProvider | null;
  readonly environment: EnvironmentSpec;
  readonly options: GivenOptions;
}

/** A deployment as operators see it. Its account's name and its price belong to others. */
export interface DeploymentView extends DeploymentOptions, DeploymentName {
  readonly deploymentId: DeploymentId;
  /** Null without a host of deployments. */
  readonly host: string | null;
  readonly accountId: AccountId | null;
  readonly status: DeploymentStatus;
  readonly reason: string;
  readonly statusSince: string;
  readonly provider: DeploymentProvider;
  /** Open streams of its workers, of every revision. */
  readonly workers: number;
  readonly waiting: number;
  readonly running: number;
  readonly revision: number;
  /** The revision that becomes current once a worker of it polls; null without a re-pin. */
  readonly nextRevision: number | null;
  /** Older revisions that still have jobs: their workers stay until it names them no more. */
  readonly retiringRevisions: readonly number[];
  readonly environment: PinnedEnvironment;
  readonly coldStartS: number | null;
  readonly createdAt: string;
}

/**
 * Why a command changed nothing. `unknown`: no such deployment. `exists`: the name is taken, for ever. `state`: not in
 * this status, or jobs stand against it. `option`: a value is not valid.
 */
export interface DeploymentRefusal {
  readonly kind: DeploymentRefusalKind;
  readonly message: ErrorText;
}

/** The code of the catalogue that each kind is answered with. */
export const DEPLOYMENT_REFUSAL_CODES = {
  unknown: 'not_found',
  exists: 'already_exists',
  state: 'wrong_state',
  option: 'invalid_request',
} as const satisfies Readonly<Record<string, ApiErrorCode>>;
export type DeploymentRefusalKind = keyof typeof DEPLOYMENT_REFUSAL_CODES;

/** The only way to create one: a case of the code of its kind. */
export function refuseChange<Kind extends DeploymentRefusalKind>(
  kind: Kind,
  what: ErrorCase<(typeof DEPLOYMENT_REFUSAL_CODES)[Kind]>,
): DeploymentRefusal {
  return { kind, message: errorText<(typeof DEPLOYMENT_REFUSAL_CODES)[Kind]>(DEPLOYMENT_REFUSAL_CODES[kind], what) };
}

export type DeploymentAnswer =
  | {
      readonly ok: true;
      readonly value: DeploymentView;
      /** A sentence for the operator if the command changed nothing: it was already so. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly refusal: DeploymentRefusal };

/** The calls that name a deployment and nothing else. */
export const DEPLOYMENT_VERBS = ['pause', 'resume', 'drain', 'start', 'delete'] as const;
export type DeploymentVerb = (typeof DEPLOYMENT_VERBS)[number];

/**
 * The operator's calls (admin API, `heddle deployments`). Implementations pass
 * `test/internal-calls/deployments-port.suite.ts`.
 */
export interface DeploymentsPort {
  create(deployment: NewDeployment): Promise<DeploymentAnswer>;
  /** By label and stage; deleted ones are left out. */
  list(): Promise<readonly DeploymentView[]>;
  show(name: DeploymentName): Promise<DeploymentAnswer>;
  set(name: DeploymentName, options: GivenOptions): Promise<DeploymentAnswer>;
  repin(name: DeploymentName, environment: EnvironmentSpec): Promise<DeploymentAnswer>;
  pause(name: DeploymentName): Promise<DeploymentAnswer>;
  resume(name: DeploymentName): Promise<DeploymentAnswer>;
  drain(name: DeploymentName): Promise<DeploymentAnswer>;
  start(name: DeploymentName): Promise<DeploymentAnswer>;
  /** Answers with the deployment as it was deleted. */
  delete(name: DeploymentName): Promise<DeploymentAnswer>;
  idOf(name: DeploymentName): Promise<DeploymentId | null>;
}
export const DEPLOYMENTS_PORT = Symbol('DeploymentsPort');
