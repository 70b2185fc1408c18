import { expect, it } from 'vitest';
import { StopSteps } from './stop-steps.js';

it('ends the last part first, and names the parts that have not ended', async () => {
  const steps = new StopSteps();
  const ended: string[] = [];
  const bus = Promise.withResolvers<void>();
  steps.add('database', () => ended.push('database'));
  steps.add('message bus', () => bus.promise);
  steps.add('worker', () => ended.push('worker'));
  steps.addLast('health', () => ended.push('health'));
  const stopping = steps.run(() => undefined);
  await expect.poll(() => steps.unfinished).toEqual(['message bus', 'database', 'health']);
  expect(ended).toEqual(['worker']);
  bus.resolve();
  await stopping;
  expect(ended).toEqual(['worker', 'database', 'health']);
  expect(steps.unfinished).toEqual([]);
});

it('reports a part that fails, and ends the others', async () => {
  const steps = new StopSteps();
  const ended: string[] = [];
  const failed: unknown[] = [];
  steps.add('database', () => ended.push('database'));
  steps.add('worker', () => Promise.reject(new Error('no')));
  await steps.run((part, error) => failed.push(part, error));
  expect(failed).toEqual(['worker', new Error('no')]);
  expect(ended).toEqual(['database']);
});
