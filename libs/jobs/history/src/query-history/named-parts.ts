import type { DuckDBConnection } from '@duckdb/node-api';

/** A node of a statement as the engine serializes it. */
type Node = Readonly<Record<string, unknown>>;

/** Tables whose columns the statement must name one by one. */
const PLAIN_NODES: ReadonlySet<unknown> = new Set([
  ...['SELECT_NODE', 'SET_OPERATION_NODE', 'BASE_TABLE', 'JOIN', 'SUBQUERY', 'EMPTY', 'EXPRESSION_LIST'],
]);

/**
 * Every name that stands in a SELECT, in lower case; null if it may mean columns that it does not name, as `*`, DESCRIBE or a
 * whole row do. More names than there are columns do no harm.
 */
export async function namesIn(
  connection: DuckDBConnection,
  sql: string,
  relations: ReadonlySet<string>,
): Promise<ReadonlySet<string> | null> {
  const reader = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql]);
  const form = JSON.parse(String(reader.getRows()[0]?.[0])) as Node;
  if (form['error'] !== false) return null;
  const names = new Set<string>();
  const tables = new Set<string>();
  const alone = new Set<string>();
  let isPlain = true;
  const look = (value: unknown, isOrder = false): void => {
    if (typeof value === 'string') names.add(value.toLowerCase());
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    // Every table has a sample, also none; a function of tables may list the columns of another table.
    if ('sample' in node && !PLAIN_NODES.has(node['type'])) isPlain = false;
    if (node['class'] === 'STAR' || node['ref_type'] === 'NATURAL') isPlain = false;
    if (node['type'] === 'BASE_TABLE') {
      const table = String(node['table_name']).toLowerCase();
      // Any other table is a part of the statement, which names its columns.
      if (relations.has(table)) tables.add(table).add(String(node['alias']).toLowerCase());
      if (node['schema_name'] !== '') isPlain = false;
    }
    const path = node['column_names'];
    // A name in ORDER BY is not a column of the answer. It is often the alias of a count.
    if (Array.isArray(path) && path.length === 1 && !isOrder) alone.add(String(path[0]).toLowerCase());
    for (const [key, part] of Object.entries(node)) look(part, isOrder || key === 'orders');
  };
  look(form);
  // A table's name without a column means its whole row.
  return isPlain && [...alone].every((name) => !tables.has(name)) ? names : null;
}
