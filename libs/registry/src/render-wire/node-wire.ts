import type { NodePageWire, NodeWire } from '@heddle/contracts-registry';
import type { RegistryNodeState } from '@heddle/registry-domain';
import { renderPublisher } from './publisher-wire.js';
import type { PublisherRecord } from './publisher-wire.js';
import { renderVersion } from './version-wire.js';
import type { VersionRecord, VersionView } from './version-wire.js';

export interface NodeRecord {
  readonly state: Omit<RegistryNodeState, 'streamVersion'>;
  readonly publisher: PublisherRecord;
  readonly downloads: number;
  readonly stars: number;
  readonly reviews: number;
  readonly latest: VersionRecord | null;
}

const STATUSES = { active: 'NodeStatusActive', banned: 'NodeStatusBanned', deleted: 'NodeStatusDeleted' } as const;

export function renderNode({ state, publisher, latest, ...counts }: NodeRecord, view: VersionView): NodeWire {
  const { text, ranks } = state;
  const isBanned = publisher.state.status === 'banned' && state.status === 'active';
  return {
    ...text,
    translations: JSON.parse(text.translations) as Record<string, unknown>,
    id: state.nodeId,
    status: isBanned ? STATUSES.banned : STATUSES[state.status],
    status_detail: isBanned ? publisher.state.reason : state.reason,
    created_at: state.createdAt,
    downloads: counts.downloads,
    github_stars: 0,
    rating: counts.reviews === 0 ? 0 : counts.stars / counts.reviews,
    search_ranking: ranks.search_ranking,
    preempted_wf_node_names: ranks.preempted,
    tags_admin: ranks.tags_admin,
    publisher: renderPublisher(publisher),
    ...(latest === null ? {} : { latest_version: renderVersion(latest, view) }),
  };
}

/** Lists do not show the reasons. */
export function renderNodePage(
  { nodes, total }: { readonly nodes: readonly NodeRecord[]; readonly total: number },
  { page, limit }: { readonly page: number; readonly limit: number },
  view: Omit<VersionView, 'withReason'>,
): NodePageWire {
  const shown = nodes.map((node) => renderNode(node, { ...view, withReason: false }));
  return { nodes: shown, total, page, limit, totalPages: Math.ceil(total / limit) };
}
