import type { TaskFields } from '@heddle/partner-proxy-domain';
import { isJsonObject } from '@heddle/platform-http';
import { refused } from '../refused.js';

/** The fields of a JSON body, whatever its content type says. Read once the key of the request is known to be unused. */
export function jsonFields(body: unknown): TaskFields {
  const value = Buffer.isBuffer(body) ? parsed(body.toString('utf8')) : null;
  if (isJsonObject(value)) return value as TaskFields;
  throw refused('invalid_request', { case: 'no_json' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
