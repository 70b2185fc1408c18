import type { TaskFields } from '@heddle/partner-proxy-domain';
import { parsedObject } from '@heddle/platform-http';
import { refused } from '../refused.js';

/** The fields of a JSON body, whatever its content type says. Read once the key of the request is known to be unused. */
export function jsonFields(body: unknown): TaskFields {
  const fields = parsedObject(body);
  if (fields === null) throw refused('invalid_request', { case: 'no_json' });
  return fields;
}
