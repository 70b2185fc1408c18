import type { TaskFields } from '@heddle/partner-proxy-domain';
import { readObject } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { scanJson } from '@heddle/workflow-graph';

/** Far above any task. A body may have 20 MiB, and building millions of lists would hold up every other request for seconds. */
const LIMITS = { maxDepth: 32, maxKeys: 10_000, maxLists: 10_000, maxNumberLength: 4_096 };

/** The fields of a JSON body, whatever its content type says. Read once the key of the request is known to be unused. */
export function jsonFields(body: unknown): TaskFields {
  const { maxDepth: depth, maxLists: lists, maxKeys: keys, maxNumberLength: digits } = LIMITS;
  const found = Buffer.isBuffer(body) ? scanJson(body, LIMITS, 0) : 'unterminated';
  if (typeof found === 'string' && found !== 'unterminated')
    throw registryRefusal('invalid_request', { case: 'dense_json', depth, lists, keys, digits });
  // An unterminated text is no JSON, and is refused before anything of it is built.
  const read = readObject(body);
  if (typeof read === 'string') throw registryRefusal('invalid_request', { case: 'no_json', must: read });
  return read;
}
