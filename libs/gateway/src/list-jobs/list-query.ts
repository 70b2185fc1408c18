import { JOB_STATUSES } from '@heddle/contracts-api-v2';
import { refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, JobListQuery, JobStatus } from '@heddle/contracts-messages';

const LABEL_KEY = /^[A-Za-z0-9_.-]{1,64}$/;
/** Control characters, and those that override or isolate text direction: no label contains them. */
const NEVER_IN_LABEL = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const DEFAULT_LIMIT = 50;
const MAX_FILTERS = 3;
const MAX_LABEL = 512;
const SINGLE = ['limit', 'status', 'idempotency_key'];

/** Parses the list's query (decisions, List and Labels). Unknown parameters are ignored. */
export function parseListQuery(search: URLSearchParams): Answer<JobListQuery> {
  const repeated = SINGLE.find((name) => search.getAll(name).length > 1);
  if (repeated !== undefined) return invalid(repeated, 'must be given once');
  const limit = search.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
    return invalid('limit', 'must be a whole number from 1 to 100');
  }
  const statuses = search.get('status')?.split(',') ?? [];
  if (!statuses.every(isStatus)) {
    return invalid('status', `must be statuses of ${JOB_STATUSES.join(', ')}, separated by commas`);
  }
  const idempotencyKey = search.get('idempotency_key');
  if (idempotencyKey !== null && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    return invalid('idempotency_key', 'must be 1 to 255 visible ASCII characters');
  }
  const metadata = parseMetadata(search);
  if (!metadata.ok) return metadata;
  // A client may append the next cursor to its previous address: the last one counts.
  const cursor = search.getAll('cursor').at(-1) ?? null;
  return {
    ok: true,
    value: { statuses: [...new Set(statuses)], limit: Number(limit), cursor, idempotencyKey, metadata: metadata.value },
  };
}

function parseMetadata(search: URLSearchParams): Answer<Readonly<Record<string, string>>> {
  const filters = new Map<string, string>();
  for (const [name, value] of search) {
    if (name !== 'metadata' && !name.startsWith('metadata[')) continue;
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key === undefined || !LABEL_KEY.test(key) || filters.has(key)) {
      return badFilter('is metadata[key]=value, each key once, a key of 1 to 64 characters of A-Z a-z 0-9 _ . -');
    }
    if ([...value].length > MAX_LABEL || NEVER_IN_LABEL.test(value)) {
      return badFilter(`has a value of at most ${MAX_LABEL} characters, none of them a control character`);
    }
    filters.set(key, value);
  }
  if (filters.size > MAX_FILTERS) return badFilter(`may be given at most ${MAX_FILTERS} times`);
  return { ok: true, value: Object.fromEntries(filters) };
}

function isStatus(text: string): text is JobStatus {
  return (JOB_STATUSES as readonly string[]).includes(text);
}

function badFilter(rule: string): Answer<never> {
  return rejected(refuse('invalid_metadata_filter', { case: 'filter', rule }));
}

function invalid(field: string, what: string): Answer<never> {
  const details = { fields: { [field]: what } };
  return rejected(refuse('invalid_request', { case: 'query', field, problem: what }, { details }));
}
