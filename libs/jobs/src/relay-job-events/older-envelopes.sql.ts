export interface DerivedRow {
  readonly stream_id: string;
  readonly version: number;
  readonly status: string | null;
  readonly traceparent: string | null;
}

export const deriveSql = `
select n.stream_id, n.version, d.status, d.traceparent
from unnest($1::uuid[], $2::int[]) as n(stream_id, version), jobs.derive_envelope(n.stream_id, n.version) as d`;
