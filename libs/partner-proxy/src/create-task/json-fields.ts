import type { TaskFields } from '@heddle/partner-proxy-domain';
import { parsedObject } from '@heddle/platform-http';
import { scanJson } from '@heddle/workflow-graph';
import { refused } from '../refused.js';

/** Far above any task. A body may have 20 MiB, and building millions of lists would hold up every other request for seconds. */
const LIMITS = { maxDepth: 32, maxKeys: 10_000, maxLists: 10_000, maxNumberLength: 4_096 };

/** The fields of a JSON body, whatever its content type says. Read once the key of the request is known to be unused. */
export function jsonFields(body: unknown): TaskFields {
  const found = Buffer.isBuffer(body) ? scanJson(body, LIMITS, 0) : 'unterminated';
  if (found === 'unterminated') throw refused('invalid_request', { case: 'no_json' });
  if (typeof found === 'string') throw refused('invalid_request', { case: 'dense_json' });
  const fields = parsedObject(body);
  if (fields === null) throw refused('invalid_request', { case: 'no_json' });
  return fields;
}
