import { describe, expect, it } from 'vitest';
import { ProblemLog } from './problem-log.js';
import type { ProblemOrigin } from './problem-log.js';

const everywhere = (): boolean => true;
const none = new Map<number, string>();

describe('the problems of a workflow', () => {
  it('are those of each node, in the order in which they were found', () => {
    const log = new ProblemLog();
    log.add(3, 'b', 'bad_link');
    log.add(1, 'a', 'value_not_in_list');
    log.add(3, 'a', 'bad_link');
    expect([...log.counted(everywhere, none)]).toEqual([
      [
        3,
        [
          { field: 'b', reason: 'bad_link' },
          { field: 'a', reason: 'bad_link' },
        ],
      ],
      [1, [{ field: 'a', reason: 'value_not_in_list' }]],
    ]);
  });

  it('count where their node stands', () => {
    const log = new ProblemLog();
    const origins: readonly ProblemOrigin[] = ['anywhere', 'validated', 'running'];
    for (const [node, origin] of origins.entries()) log.add(node, 'x', 'bad_link', origin);
    for (const counts of origins) {
      const found = log.counted((_, origin) => origin === counts, none);
      expect([...found.keys()]).toEqual([origins.indexOf(counts)]);
    }
    expect(log.counted((node) => node === 7, none).size).toBe(0);
  });

  it('are one object for all nodes that have the same one', () => {
    const log = new ProblemLog();
    for (let node = 0; node < 3; node += 1) log.add(node, 'x', 'bad_link');
    log.add(3, 'x', 'bad_link', 'running');
    const found = [...log.counted(everywhere, none).values()].flat();
    expect(found).toHaveLength(4);
    expect(new Set(found).size).toBe(2);
  });

  it('have one for a check that throws, on the field that is known of it, behind the others of its node', () => {
    const log = new ProblemLog();
    log.addFault(1);
    log.addFault(1);
    log.addFault(2);
    log.add(1, 'a', 'bad_link');
    expect(log.counted(everywhere, new Map([[1, 'b']]))).toEqual(
      new Map([
        [
          1,
          [
            { field: 'a', reason: 'bad_link' },
            { field: 'b', reason: 'validation_exception' },
          ],
        ],
        [2, [{ field: 'inputs', reason: 'validation_exception' }]],
      ]),
    );
    // The engine checks only what it validates.
    expect(log.counted((_, origin) => origin === 'running', none).size).toBe(0);
  });

  it('are none until one is found', () => {
    const log = new ProblemLog();
    expect(log.isEmpty).toBe(true);
    log.addFault(1);
    expect(log.isEmpty).toBe(false);
    const other = new ProblemLog();
    other.add(1, 'a', 'bad_link');
    expect(other.isEmpty).toBe(false);
  });
});
