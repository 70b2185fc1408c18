import type { RegistryVerdict } from '@heddle/contracts-messages';

export function renderRegistryVerdict({ nodeId, publisher, version, status, reason }: RegistryVerdict): string {
  return JSON.stringify({ node_id: nodeId, publisher, version, status, reason });
}
