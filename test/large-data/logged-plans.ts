import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** A node of a plan in auto_explain's JSON, with only the checked fields */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface LoggedPlan {
  readonly text: string;
  readonly plan: PlanNode;
}

/** New sessions log the plans of all statements, including those inside functions. */
export async function logPlans(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name');
  await owner.query(`load 'auto_explain'`);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
  };
  for (const [name, value] of Object.entries(settings))
    await owner.query(`alter database ${rows[0]!.name} set ${name} = '${value}'`);
}

/** Reads the plans from a server's log. A plan is one entry; its continuation lines begin with a tab. */
export function plansIn(logFile: string): readonly LoggedPlan[] {
  const plans: LoggedPlan[] = [];
  const entries = readFileSync(logFile, 'utf8').split(/\n(?!\t)/);
  for (const entry of entries) {
    const at = entry.indexOf('plan:\n');
    if (at === -1) continue;
    const { 'Query Text': text, Plan: plan } = JSON.parse(entry.slice(at + 6)) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    plans.push({ text, plan });
  }
  return plans;
}

export function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan;
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner);
}

/** Rows that a node read in all its loops, including filtered ones. */
export function rowsRead(node: PlanNode): number {
  const each =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return each * (node['Actual Loops'] ?? 1);
}
