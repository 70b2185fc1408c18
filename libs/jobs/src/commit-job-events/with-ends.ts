import type { QueryConfig } from 'pg';
import { argumentList, callOf } from '../group-commit/function-call.js';
import type { NamedArguments } from '../group-commit/function-call.js';
import { deletedSealedArguments } from '../seal-credentials/sealed-arguments.js';
import type { CommitItem } from './change-plan.js';
import { settlementsOf } from './settlements.js';

/**
 * One statement: what ends a job settles it and deletes its sealed credentials, in the same transaction and at the same
 * time. A batch whose jobs have neither is the call alone.
 */
export function withEnds(items: readonly CommitItem[], changes: NamedArguments): QueryConfig {
  const called = 'schema_versions' in changes ? 'commit_versioned' : 'commit_changes';
  const settlements = settlementsOf(items);
  const deleted = deletedSealedArguments(items);
  if (settlements === null && deleted === null)
    return { name: called.replace('_', '-'), ...callOf(`jobs.${called}`, changes) };
  let name = called === 'commit_changes' ? 'commit' : 'commit-versioned';
  let text = `select c.now_ms, c.committed from jobs.${called}(${argumentList(changes)}) c`;
  const values = Object.values(changes);
  const follow = (step: string, args: NamedArguments | null, call: (given: string) => string): void => {
    if (args === null) return;
    name += `-and-${step}`;
    text += `, ${call(argumentList(args, values.length + 1))}`;
    values.push(...Object.values(args));
  };
  follow('settle', settlements, (given) => `jobs.settle_jobs(ended_ms => c.now_ms, ended => c.committed, ${given}) s`);
  follow('delete-sealed', deleted, (given) => `jobs.delete_sealed(ended => c.committed, ${given}) d`);
  return { name, text, values };
}
