import { describe, expect, it } from 'vitest';
import { verdictOn } from './delivery-verdict.js';

const WAITS = [5_000, 30_000];
const answered = (status: number, attempt = 1) => verdictOn({ kind: 'answer', status }, attempt, WAITS);

describe('an attempt of a delivery', () => {
  it.each([200, 202, 204, 299])('with the answer %d delivers', (status) => {
    expect(answered(status)).toEqual({ next: 'delivered' });
  });

  it.each([408, 429, 500, 502, 599])('with the answer %d is repeated', (status) => {
    expect(answered(status)).toMatchObject({ next: 'retry', afterMs: 5_000 });
  });

  it.each([301, 307, 400, 401, 404, 410, 199])('with the answer %d is the last', (status) => {
    expect(answered(status)).toEqual({ next: 'dead', problem: `the receiver answered ${status}` });
  });

  it('is repeated once for each wait, then the delivery is dead', () => {
    const silent = (attempt: number) => verdictOn({ kind: 'no_answer' }, attempt, WAITS);
    const problem = 'the receiver did not answer';
    expect(silent(1)).toEqual({ next: 'retry', afterMs: 5_000, problem });
    expect(silent(2)).toEqual({ next: 'retry', afterMs: 30_000, problem });
    expect(silent(3)).toEqual({ next: 'dead', problem });
    expect(answered(500, 3).next).toBe('dead');
  });

  it('to a URL that must not be called is the last', () => {
    const refused = verdictOn({ kind: 'refused', reason: 'must use port 80' }, 1, WAITS);
    expect(refused).toEqual({ next: 'dead', problem: 'not sent: the URL must use port 80' });
  });
});
