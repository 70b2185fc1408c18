import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '../read-export/sql-literal.js';

/** Fields of a job in order, each with its type; lists and objects keep their structure. */
const COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ['id', 'VARCHAR'],
  ['status', 'VARCHAR'],
  ['created_at', 'TIMESTAMPTZ'],
  ['started_at', 'TIMESTAMPTZ'],
  ['completed_at', 'TIMESTAMPTZ'],
  ['expires_at', 'TIMESTAMPTZ'],
  ['queue_position', 'BIGINT'],
  [
    'progress',
    'STRUCT(value DOUBLE, nodes_done BIGINT, nodes_total BIGINT, current_node VARCHAR, current_node_class VARCHAR, step BIGINT, steps BIGINT, message VARCHAR)',
  ],
  [
    'outputs',
    'STRUCT(node_id VARCHAR, name VARCHAR, type VARCHAR, content_type VARCHAR, size_bytes BIGINT, id VARCHAR, hash VARCHAR, job_id VARCHAR)[]',
  ],
  ['error', 'STRUCT(code VARCHAR, message VARCHAR, node_id VARCHAR, class_type VARCHAR, traceback VARCHAR)'],
  ['metrics', 'STRUCT(queue_ms BIGINT, execution_ms BIGINT)'],
  ['metadata', 'MAP(VARCHAR, VARCHAR)'],
  ['deployment_id', 'VARCHAR'],
  ['version', 'INTEGER'],
  ['fence', 'BIGINT'],
];

/** Writes jobs, one in each line of a file, to a Parquet file. */
export async function writeJobsParquet(connection: DuckDBConnection, lines: string, target: string): Promise<void> {
  const columns = COLUMNS.map(([name, type]) => `${name}: ${literal(type)}`).join(', ');
  const rows = `read_json(${literal(lines)}, format = 'newline_delimited', columns = {${columns}})`;
  await connection.run(
    `copy (select * from ${rows}) to ${literal(target)} (format parquet, compression zstd, use_tmp_file false)`,
  );
}
