/** A column: its name, its expression, and the joins that the expression needs. */
export type RelationColumn = readonly [name: string, sql: string, ...joins: string[]];

/** A relation of questions. Its joins are left joins that add no rows. */
export interface Relation {
  readonly columns: readonly RelationColumn[];
  readonly from: string;
  /** By name, in the order in which they must stand. */
  readonly joins?: Readonly<Record<string, string>>;
}

export type IsWanted = (column: string) => boolean;

/** Selects the wanted columns, without the joins that only others need: the engine would do them all the same. */
export function relationSql({ columns, from, joins = {} }: Relation, isWanted: IsWanted): string {
  const wanted = columns.filter(([name]) => isWanted(name));
  const selected = wanted.length === 0 ? columns.slice(0, 1) : wanted;
  const needed = new Set(selected.flatMap(([, , ...names]) => names));
  const joined = Object.entries(joins).flatMap(([name, sql]) => (needed.has(name) ? [sql] : []));
  return `select ${selected.map(([name, sql]) => `${sql} as ${name}`).join(', ')} from ${from} ${joined.join(' ')}`;
}
