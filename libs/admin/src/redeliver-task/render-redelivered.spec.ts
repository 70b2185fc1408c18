import { expect, it } from 'vitest';
import { renderRedelivered } from './render-redelivered.js';

it.each([
  [2, 'waiting'],
  [0, ''],
])('a task with %i deliveries that are due again has the status "%s"', (deliveries, status) => {
  expect(JSON.parse(renderRedelivered({ taskId: 't1', deliveries }))).toEqual({
    ...{ node_id: '', publisher: '', version: '', reason: '' },
    ...{ status, task_id: 't1', deliveries },
  });
});
