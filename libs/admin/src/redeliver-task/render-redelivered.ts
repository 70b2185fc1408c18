import type { RedeliveredTask } from '@heddle/contracts-messages';

/**
 * With the fields of every operator's command on the registry (registry decisions, Commands), of which a task has its status
 * alone: `waiting` while deliveries are due again.
 */
export function renderRedelivered({ taskId, deliveries }: RedeliveredTask): string {
  const target = { node_id: '', publisher: '', version: '', status: deliveries > 0 ? 'waiting' : '', reason: '' };
  return JSON.stringify({ ...target, task_id: taskId, deliveries });
}
