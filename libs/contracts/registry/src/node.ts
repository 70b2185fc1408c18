import type { NodeVersionWire } from './node-version.js';
import type { PublisherWire } from './publisher.js';

/** What a publisher says of a node (api-v2, Registry: Node); "" and [] where nothing is known. */
export interface NodeMetadata {
  readonly name: string;
  readonly author: string;
  readonly category: string;
  readonly description: string;
  readonly icon: string;
  readonly banner_url: string;
  readonly license: string;
  readonly repository: string;
  readonly supported_accelerators: readonly string[];
  readonly supported_engine_frontend_version: string;
  readonly supported_engine_version: string;
  readonly supported_os: readonly string[];
  readonly tags: readonly string[];
  readonly translations: Readonly<Record<string, unknown>>;
}

/** A node package. `latest_version` is absent where no version is active. Times are ISO 8601, UTC. */
export interface NodeWire extends NodeMetadata {
  readonly id: string;
  readonly status: NodeStatus;
  readonly status_detail: string;
  readonly created_at: string;
  readonly downloads: number;
  readonly github_stars: number;
  readonly rating: number;
  readonly search_ranking: number;
  readonly preempted_wf_node_names: readonly string[];
  readonly tags_admin: readonly string[];
  readonly publisher: PublisherWire;
  readonly latest_version?: NodeVersionWire;
}

export type NodeStatus = 'NodeStatusActive' | 'NodeStatusDeleted' | 'NodeStatusBanned';

/** A page of nodes; `page` counts from 1. */
export interface NodePageWire {
  readonly nodes: readonly NodeWire[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
}
