import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgressTracker } from './progress-tracker.js';

describe('the progress of an attempt', () => {
  it('counts finished nodes plus the fraction of the running one', () => {
    const tracker = new ProgressTracker(4, 0);
    tracker.started('1', 'EmptyImage');
    tracker.finished('1');
    tracker.started('2', 'ImageBlur');
    tracker.stepped('2', 5, 10);
    expect(tracker.snapshot()).toEqual({
      value: 0.375,
      nodesDone: 1,
      nodesTotal: 4,
      currentNode: '2',
      currentNodeClass: 'ImageBlur',
      step: 5,
      steps: 10,
      message: 'ImageBlur 5/10',
    });
  });

  it('starts from what an earlier attempt has shown', () => {
    const tracker = new ProgressTracker(2, 0.9);
    tracker.started('1', 'EmptyImage');
    tracker.finished('1');
    expect(tracker.snapshot().value).toBe(0.9);
  });

  it('ends at 1 with every node done when the job succeeded', () => {
    const tracker = new ProgressTracker(3, 0);
    expect(tracker.succeeded()).toMatchObject({ value: 1, nodesDone: 3, currentNode: null });
  });

  it('says that the engine does not answer, for as long as it does not', () => {
    const tracker = new ProgressTracker(2, 0);
    tracker.engineAway(true);
    expect(tracker.snapshot()).toMatchObject({
      currentNode: null,
      message: 'waiting for the engine: it does not answer',
    });
    tracker.engineAway(false);
    tracker.started('1', 'ImageBlur');
    expect(tracker.snapshot().message).toBe('ImageBlur');
    tracker.engineAway(true);
    expect(tracker.snapshot()).toMatchObject({
      currentNode: '1',
      message: expect.stringContaining('waiting for the engine'),
    });
    expect(tracker.succeeded().message).toBe(null);
  });

  it('ignores steps of a node that is not running and steps of nothing', () => {
    const tracker = new ProgressTracker(2, 0);
    tracker.started('1', 'ImageBlur');
    tracker.stepped('2', 1, 2);
    tracker.stepped('1', 1, 0);
    expect(tracker.snapshot()).toMatchObject({ value: 0, step: null, steps: null });
  });

  it('counts every node that runs where several do, and shows the one that spoke last', () => {
    const tracker = new ProgressTracker(4, 0);
    tracker.started('1', 'First');
    tracker.started('2', 'Second');
    tracker.stepped('1', 1, 2);
    tracker.stepped('2', 1, 4);
    expect(tracker.snapshot()).toMatchObject({ value: 0.1875, currentNode: '2', step: 1, steps: 4 });
    tracker.stepped('1', 2, 2);
    expect(tracker.snapshot()).toMatchObject({ currentNode: '1', message: 'First 2/2' });
    tracker.finished('1');
    expect(tracker.snapshot()).toMatchObject({ value: 0.3125, nodesDone: 1, currentNode: '2', step: 1 });
  });

  it('counts a cached node, which never ran, as done', () => {
    const tracker = new ProgressTracker(2, 0);
    tracker.finished('1');
    tracker.started('2', 'SaveImage');
    expect(tracker.snapshot()).toMatchObject({ value: 0.5, nodesDone: 1, currentNode: '2' });
  });

  it('never falls and never leaves 0..1, whatever the engine reports (I13)', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('start' as const), node: fc.integer({ min: 0, max: 9 }) }),
      fc.record({ kind: fc.constant('finish' as const), node: fc.integer({ min: 0, max: 9 }) }),
      fc.record({
        kind: fc.constant('step' as const),
        node: fc.integer({ min: 0, max: 9 }),
        step: fc.integer({ min: -5, max: 50 }),
        steps: fc.integer({ min: -5, max: 40 }),
      }),
    );
    const property = fc.property(fc.array(event), fc.integer({ min: 0, max: 8 }), (events, total) => {
      const tracker = new ProgressTracker(total, 0);
      let last = 0;
      for (const happened of events) {
        if (happened.kind === 'start') tracker.started(String(happened.node), 'Any');
        else if (happened.kind === 'finish') tracker.finished(String(happened.node));
        else tracker.stepped(String(happened.node), happened.step, happened.steps);
        const { value, nodesDone } = tracker.snapshot();
        expect(value).toBeGreaterThanOrEqual(last);
        expect(value).toBeLessThanOrEqual(1);
        expect(nodesDone).toBeLessThanOrEqual(total);
        last = value;
      }
    });
    fc.assert(property, { verbose: 1 });
  });
});
