import { isRecord } from '../api/wire.js';
import type { Json, JsonRecord } from '../api/wire.js';
import { failed } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import type { Terminal } from '../terminal/terminal.js';
import type { AdminClient } from './admin-client.js';

const PART = 500;

/** Every item of a list of the admin API, in parts as they come. `path`: with its query, if it has one. */
export async function* readParts(
  admin: AdminClient,
  path: string,
  items: string,
): AsyncGenerator<readonly JsonRecord[]> {
  for (let after: string | null = null; ;) {
    const start: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const body = recordOf(await admin.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${PART}${start}`));
    const part: Json | undefined = body[items];
    if (!Array.isArray(part)) throw unreadable();
    yield part.map(recordOf);
    const next: Json | undefined = body['next'];
    if (typeof next !== 'string') return;
    after = next;
  }
}

/** The body of an answer, which is one object. */
export function recordOf(body: unknown): JsonRecord {
  if (!isRecord(body)) throw unreadable();
  return body;
}

/** The object of an answer without its note, which is for the person who runs the command. */
export function withoutNote(answer: unknown, terminal: Terminal): JsonRecord {
  const { note, ...rest } = recordOf(answer);
  if (typeof note === 'string') terminal.say(`heddle: ${plainText(note)}`);
  return rest;
}

/** A field for a person; empty where it is null or missing. */
export function fieldText(record: JsonRecord, field: string): string {
  const value = record[field];
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The members of an object in a field that are not null, as `name=value`. */
export function givenIn(record: JsonRecord, field: string): string {
  const given = Object.entries(recordOf(record[field] ?? {})).filter(([, value]) => value !== null);
  return given.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}

function unreadable(): Error {
  return failed(
    'the admin API sent an answer that this command cannot read',
    'heddle --version and the service must fit',
  );
}
