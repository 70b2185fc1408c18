import { COLUMN_LIST, withPayloadColumns } from '../read-export/event-columns.js';
import { literal } from '../read-export/sql-literal.js';
import { readLines } from './line-fields.js';
import type { SegmentPart } from './segment-parts.js';

/** What the rows are while they are sorted: ids of 16 bytes and payloads as bytes are half of the text that they become. */
const SORTED = `* exclude (correlation_hex, data_hex, digest_hex, chain_hex), unhex(correlation_hex) as correlation,
  unhex(data_hex) as payload, unhex(digest_hex) as digest, unhex(chain_hex) as chain`;

/** Only a payload that somebody changed has bytes that are not UTF-8. They are exported as escapes; the digest is that of the bytes. */
const DECODED = 'coalesce(try(decode(payload)), payload::varchar)';

/** Selects the rows of a part by job and version, with the columns of an export. */
export function partRows({ type, lines }: Pick<SegmentPart, 'type' | 'lines'>, exportedAt: string): string {
  const sorted = `select ${SORTED} from ${readLines(lines)} order by job_id, version`;
  const ids = ['event_id', 'job_id', 'account_id', 'deployment_id', 'causation_id'];
  const rows = `select * replace (${ids.map((id) => `${id}::varchar as ${id}`).join(', ')}), ${literal(type)} as type,
      make_timestamptz(recorded_ms * 1000) as recorded_at, decode(correlation) as correlation_id, ${DECODED} as data,
      coalesce(digest, ''::blob) as data_sha256 from (${sorted})`;
  return withPayloadColumns(`${COLUMN_LIST}, timestamptz ${literal(exportedAt)} as exported_at`, `from (${rows})`, [
    type,
  ]);
}
