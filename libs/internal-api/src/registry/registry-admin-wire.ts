import type {
  NodeRankChanges,
  RegistryEventView,
  RegistryQueueEntry,
  RegistryTarget,
  RegistryVerdict,
} from '@heddle/contracts-messages';
import type {
  NodeEvent,
  QueueEntry,
  SetRanksRequest,
  Target,
  Verdict,
} from '../generated/heddle/registry/v1/registry_admin.js';

export function targetMessage(target: RegistryTarget): Target {
  if ('nodeId' in target) return { of: { $case: 'nodeId', value: target.nodeId } };
  return { of: { $case: 'publisher', value: target.publisher } };
}

export function verdictMessage({ nodeId, version, ...verdict }: RegistryVerdict): Verdict {
  return { ...verdict, nodeId: nodeId ?? undefined, version: version ?? undefined };
}

export function verdictOf({ nodeId, version, status, ...verdict }: Verdict): RegistryVerdict {
  return {
    ...verdict,
    nodeId: nodeId ?? null,
    version: version ?? null,
    status: status as RegistryVerdict['status'],
  };
}

export function ranksMessage(nodeId: string, { searchRanking, preempted, tags }: NodeRankChanges): SetRanksRequest {
  return { nodeId, searchRanking, preempted: namesMessage(preempted), tags: namesMessage(tags) };
}

export function ranksOf({ searchRanking, preempted, tags }: SetRanksRequest): NodeRankChanges {
  return {
    ...(searchRanking === undefined ? {} : { searchRanking }),
    ...(preempted === undefined ? {} : { preempted: preempted.names }),
    ...(tags === undefined ? {} : { tags: tags.names }),
  };
}

function namesMessage(names: readonly string[] | undefined): SetRanksRequest['tags'] {
  return names === undefined ? undefined : { names: [...names] };
}

export function entryMessage({ version, ...entry }: RegistryQueueEntry): QueueEntry {
  return { ...entry, version: version ?? undefined };
}

export function entryOf({ version, kind, ...entry }: QueueEntry): RegistryQueueEntry {
  return { ...entry, kind: kind as RegistryQueueEntry['kind'], version: version ?? null };
}

/** Text of a publisher is JSON, because UTF-8 cannot hold a lone surrogate. */
export function eventMessage({ data, ...event }: RegistryEventView): NodeEvent {
  return { ...event, data: JSON.stringify(data) };
}

export function eventOf({ data, ...event }: NodeEvent): RegistryEventView {
  return { ...event, data: JSON.parse(data) as RegistryEventView['data'] };
}
