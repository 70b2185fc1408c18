import { isNodeId, nodeKey } from '@heddle/registry-domain';
import { isAbsent } from './body-rules.js';
import { NODE_ID_RULE } from './node-body.dto.js';

/** A node's id stands in the path; in the body it is repeated or left out. `field`: where it stands in the body. */
export function idProblems(nodeId: string, given: unknown, field: string): Readonly<Record<string, string>> {
  if (!isNodeId(nodeId)) return { nodeId: NODE_ID_RULE };
  const isSame = isAbsent(given) || typeof given !== 'string' || nodeKey(given) === nodeKey(nodeId);
  return isSame ? {} : { [field]: `must be the id of the path, ${nodeId}` };
}
