import { JOB_STATUSES } from '@heddle/contracts-api-v2';
import { rejected } from '@heddle/contracts-messages';
import type { Answer, JobListQuery, JobStatus } from '@heddle/contracts-messages';

const LABEL_KEY = /^[A-Za-z0-9_.-]{1,64}$/;
const DEFAULT_LIMIT = 50;
const MOST_FILTERS = 3;
const MOST_LABEL = 512;

/** The query of the list (decisions, List and Labels). Parameters that it does not know are ignored. */
export function parseListQuery(search: URLSearchParams): Answer<JobListQuery> {
  const limitText = search.get('limit');
  const limit = limitText === null ? DEFAULT_LIMIT : Number(limitText);
  if (limitText !== null && (!/^\d{1,3}$/.test(limitText) || limit < 1 || limit > 100)) {
    return invalid('limit', 'must be a whole number from 1 to 100');
  }
  const statuses = (search.get('status') ?? '').split(',').filter((status) => status !== '');
  const unknown = statuses.find((status) => !isStatus(status));
  if (unknown !== undefined)
    return invalid('status', `must be statuses of ${JOB_STATUSES.join(', ')}, separated by commas`);
  const idempotencyKey = search.get('idempotency_key');
  if (idempotencyKey !== null && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    return invalid('idempotency_key', 'must be 1 to 255 visible ASCII characters');
  }
  const repeated = ['limit', 'status', 'idempotency_key', 'cursor'].find((name) => search.getAll(name).length > 1);
  if (repeated !== undefined) return invalid(repeated, 'must be given once');
  const metadata = parseMetadata(search);
  if (!metadata.ok) return metadata;
  const value = {
    statuses: statuses.filter(isStatus),
    limit,
    cursor: search.get('cursor'),
    idempotencyKey,
    metadata: metadata.value,
  };
  return { ok: true, value };
}

function parseMetadata(search: URLSearchParams): Answer<Record<string, string>> {
  const filters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of search) {
    if (name !== 'metadata' && !name.startsWith('metadata[')) continue;
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key === undefined || !LABEL_KEY.test(key) || key in filters || value.length > MOST_LABEL) {
      return badFilter(
        'A metadata filter is metadata[key]=value, each key once: key of A-Z a-z 0-9 _ . - (1 to 64), value to 512.',
      );
    }
    filters[key] = value;
  }
  if (Object.keys(filters).length > MOST_FILTERS)
    return badFilter(`At most ${MOST_FILTERS} metadata filters may be given.`);
  return { ok: true, value: filters };
}

function isStatus(text: string): text is JobStatus {
  return (JOB_STATUSES as readonly string[]).includes(text);
}

function badFilter(message: string): Answer<never> {
  return rejected('invalid_metadata_filter', message);
}

function invalid(field: string, what: string): Answer<never> {
  return rejected('invalid_request', `The query parameter ${field} ${what}.`, {
    details: { fields: { [field]: what } },
  });
}
