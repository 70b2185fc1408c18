import type { RegistryVerdict } from '@heddle/contracts-messages';

/** No field is ever null (registry decisions, Present). */
export function renderRegistryVerdict({ nodeId, publisher, version, status, reason }: RegistryVerdict): string {
  return JSON.stringify({ node_id: nodeId ?? '', publisher, version: version ?? '', status, reason });
}
