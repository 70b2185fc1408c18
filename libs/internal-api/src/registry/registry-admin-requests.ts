import type { PostedClasses, RegistryTarget } from '@heddle/contracts-messages';
import { MalformedCallError } from '@heddle/platform-service-calls/serve';
import { fieldsIn } from '../encode-values/json-head.js';
import type { SetClassesRequest, Target } from '../generated/heddle/registry/v1/registry_admin.js';

export function targetOf(message: Target | undefined): RegistryTarget {
  const { of } = message ?? {};
  if (of === undefined) throw new MalformedCallError('the call names neither a node nor a publisher');
  return of.$case === 'nodeId' ? { nodeId: of.value } : { publisher: of.value };
}

export function classesOf({ success, reason, nodes }: SetClassesRequest): PostedClasses {
  return { success, reason, nodes: fieldsIn(parsed(nodes), 'list of classes') };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new MalformedCallError('the list of classes is not JSON');
  }
}
