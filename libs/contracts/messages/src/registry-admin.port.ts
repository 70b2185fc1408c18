import type { Answer } from './answer.js';
import type { ListPart } from './accounts.port.js';
import type { RedeliveredTask } from './proxy-admin.port.js';

/** What an operator bans: a node, or a publisher with all its nodes. */
export type RegistryTarget = { readonly nodeId: string } | { readonly publisher: string };

export interface VersionName {
  readonly nodeId: string;
  readonly version: string;
}

/** What a decision made of a node, a publisher or a version; null where the decision was about none. */
export interface RegistryVerdict {
  readonly nodeId: string | null;
  readonly publisher: string;
  readonly version: string | null;
  readonly status: 'pending' | 'active' | 'flagged' | 'banned' | 'deleted';
  /** JSON text of the findings where a scan flagged the version. */
  readonly reason: string;
}

/** What is absent stays as it is. */
export interface NodeRankChanges {
  readonly searchRanking?: number;
  /** Names of classes that resolve to this node before others. */
  readonly preempted?: readonly string[];
  readonly tags?: readonly string[];
}

/**
 * What waits for a person. `text`: the findings, the message of the publisher, reason and message of a report, or the
 * id of a task and why its callback is dead. The entry of a delivery has an empty `nodeId`.
 */
export interface RegistryQueueEntry {
  /** Names the entry as the start of the next part of the list. */
  readonly cursor: string;
  readonly kind: 'flagged' | 'review' | 'report' | 'delivery';
  readonly nodeId: string;
  readonly version: string | null;
  /** ISO 8601 */
  readonly at: string;
  readonly text: string;
}

/** An event of a node or of one of its versions. */
export interface RegistryEventView {
  readonly seq: number;
  readonly type: string;
  /** ISO 8601 */
  readonly at: string;
  /** `account:<id>`, `token:<id>`, `admin` or `heddle`. */
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The classes that an extractor of the operator found, by their names; each as WfNode of the registry's contract. */
export interface PostedClasses {
  readonly success: boolean;
  /** Why there are none. */
  readonly reason: string;
  readonly nodes: Readonly<Record<string, unknown>>;
}

/**
 * An operator's calls to the node registry (registry decisions, Commands). Refuses with `not_found`, `invalid_request`
 * or `already_set`. What is so already changes nothing. Implementations pass
 * `test/internal-calls/registry-admin-port.suite.ts`.
 */
export interface RegistryAdminPort {
  ban(target: RegistryTarget, reason: string): Promise<Answer<RegistryVerdict>>;
  unban(target: RegistryTarget, reason: string): Promise<Answer<RegistryVerdict>>;
  /** `status`: active, flagged, banned or deleted. */
  review(name: VersionName, status: string, reason: string): Promise<Answer<RegistryVerdict>>;
  /** Scans it again, with the rules of this build. */
  rescan(name: VersionName): Promise<Answer<RegistryVerdict>>;
  setRanks(nodeId: string, changes: NodeRankChanges): Promise<Answer<RegistryVerdict>>;
  /** Takes it from its publisher: the owner of its repository can claim it. */
  release(nodeId: string): Promise<Answer<RegistryVerdict>>;
  /** Oldest first. */
  queue(part: ListPart): Promise<Answer<readonly RegistryQueueEntry[]>>;
  /** Of the node and its versions, oldest first; `after`: a `seq`. */
  events(nodeId: string, part: ListPart): Promise<Answer<readonly RegistryEventView[]>>;
  /** Once for a version; then `already_set`. */
  setClasses(name: VersionName, classes: PostedClasses): Promise<Answer<null>>;
  /** The dead callbacks of a task of the partner proxy are due again. */
  redeliver(taskId: string): Promise<Answer<RedeliveredTask>>;
}
export const REGISTRY_ADMIN_PORT = Symbol('RegistryAdminPort');
