import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { charge, chargeTerms, creditsOf, FREE, isFree, reservationOf } from './charge.js';
import { aQueuedJob, nothing } from './job.fixture.js';
import type { JobStory } from './job.fixture.js';
import type { JobEvent, JobPrice, RecordedErrorCode } from './job.events.js';
import type { EndedJob } from './job.state.js';

const PRICE: JobPrice = { perJob: 7, perSecondMicros: 2_500_000 };
const MAX_RUNTIME_MS = 3_600_000;
const RESERVED = reservationOf(PRICE, MAX_RUNTIME_MS);

const aPricedJob = nothing.submitted({ price: PRICE, reserved: RESERVED });
/** Leased at second 1. Each event takes a second, so an end behind `nodes` nodes comes after `nodes` + 1 seconds of work. */
function workedFor(seconds: number): JobStory {
  const node = { nodeId: '1', classType: 'X', startedAt: '', endedAt: '', cached: false };
  return aPricedJob
    .leased()
    .and(...Array.from({ length: seconds - 1 }, () => ({ type: 'NodeFinished', data: node }) as const));
}
const chargeOf = (story: JobStory): number => charge(story.state() as EndedJob);
const failure = (code: RecordedErrorCode): JobEvent => ({
  type: 'JobFailed',
  data: {
    error: { code, message: 'x', nodeId: null, classType: null, traceback: null },
    progress: null,
    nodeRun: null,
  },
});

describe('a price', () => {
  it('is free if neither the job nor its seconds cost anything', () => {
    expect(isFree(FREE)).toBe(true);
    expect(isFree({ perJob: 1, perSecondMicros: 0 })).toBe(false);
    expect(isFree({ perJob: 0, perSecondMicros: 1 })).toBe(false);
  });
});

describe('the reservation of a job', () => {
  it.each([
    [{ perJob: 0, perSecondMicros: 0 }, 3_600_000, 0],
    [{ perJob: 5, perSecondMicros: 0 }, 3_600_000, 5],
    [{ perJob: 5, perSecondMicros: 1_000_000 }, 60_000, 65],
    // A part of a credit counts as a whole one.
    [{ perJob: 0, perSecondMicros: 1 }, 1, 1],
    [{ perJob: 0, perSecondMicros: 1_000_000 }, 1_000.0001, 2],
    // Beyond the whole numbers of a double.
    [{ perJob: 0, perSecondMicros: 9_007_199_254_740_991 }, 1_000, 9_007_199_255],
  ])('of %j for at most %d ms is %d', (price, maxRuntimeMs, credits) => {
    expect(reservationOf(price, maxRuntimeMs)).toBe(credits);
  });
});

describe('the charge of an ended job (accounts, What is charged)', () => {
  it('is its price and the seconds of its attempt if it succeeded', () => {
    expect(chargeOf(workedFor(2).succeeded())).toBe(7 + 5);
    expect(chargeOf(workedFor(3).succeeded())).toBe(7 + 8);
  });

  it('is the seconds alone if it was canceled while a worker had it', () => {
    expect(chargeOf(workedFor(2).and({ type: 'JobCanceled', data: { reason: 'confirmed', progress: null } }))).toBe(5);
  });

  it('is nothing if it ended in the queue', () => {
    for (const event of [
      { type: 'JobCanceled', data: { reason: 'requested', progress: null } },
      { type: 'JobExpired', data: { progress: null } },
      failure('credential_lost'),
    ] as const)
      expect(chargeOf(aPricedJob.and(event)), event.type).toBe(0);
  });

  it.each([
    ['node_execution_error', 5],
    ['out_of_memory', 5],
    ['timeout', 5],
    ['output_limit', 5],
    ['credential_expired', 5],
    ['worker_lost', 0],
    ['engine_error', 0],
    ['credential_lost', 0],
  ] satisfies [RecordedErrorCode, number][])(
    'of a failure with %s is %d: only failures of the job itself cost',
    (code, credits) => {
      expect(chargeOf(workedFor(2).and(failure(code)))).toBe(credits);
    },
  );

  it('counts the last attempt alone', () => {
    expect(chargeOf(workedFor(50).leaseLost().leased(2).succeeded())).toBe(7 + 3);
  });

  it('is at most what was reserved, also if the lease allowed a longer run than the submission', () => {
    const long = nothing.submitted({ price: PRICE, reserved: PRICE.perJob + 3 }).leased();
    expect(chargeOf(long.cancelRequested().succeeded())).toBe(PRICE.perJob + 3);
    const nothingReserved = nothing.submitted({ price: PRICE, reserved: 0 }).leased();
    expect(chargeOf(nothingReserved.succeeded())).toBe(PRICE.perJob);
  });

  it('of a job without a price is nothing', () => {
    expect(chargeOf(aQueuedJob.leased().succeeded())).toBe(0);
  });
});

describe(`the credits of any end (seed ${seed})`, () => {
  const job = fc.record({
    perJob: fc.nat(1_000_000),
    perSecondMicros: fc.nat(1_000_000_000),
    maxRuntimeMs: fc.integer({ min: 1, max: 86_400_000 }),
  });
  const termsOf = ({
    perJob,
    perSecondMicros,
    maxRuntimeMs,
  }: {
    perJob: number;
    perSecondMicros: number;
    maxRuntimeMs: number;
  }) => {
    const price = { perJob, perSecondMicros };
    const leased = nothing.submitted({ price, reserved: reservationOf(price, maxRuntimeMs) }).and({
      type: 'JobLeased',
      data: { attempt: 1, fence: 1, workerId: 'w', environment: 'e', maxRuntimeMs },
    });
    return chargeTerms(leased.succeeded().state() as EndedJob);
  };
  const holds = (
    check: (terms: ReturnType<typeof termsOf>, one: number, more: number, reserved: number) => void,
  ): void =>
    fc.assert(
      fc.property(job, fc.integer({ min: -10_000, max: 10 ** 9 }), fc.nat(10 ** 9), (priced, ms, more) => {
        const terms = termsOf(priced);
        const at = terms.leasedAtMs + ms;
        check(terms, at, at + more, reservationOf(priced, priced.maxRuntimeMs));
      }),
      { seed, numRuns: 300 },
    );

  it('never exceed what was reserved, however late the end', () => {
    holds((terms, one, _more, reserved) => expect(creditsOf(terms, one)).toBeLessThanOrEqual(reserved));
  });

  it('never fall with a later end, and never below the price of the job', () => {
    holds((terms, one, more) => {
      expect(creditsOf(terms, more)).toBeGreaterThanOrEqual(creditsOf(terms, one));
      expect(creditsOf(terms, one)).toBeGreaterThanOrEqual(terms.flat);
    });
  });

  it('are whole, and less than one above the exact price of the time', () => {
    holds((terms, one) => {
      const credits = creditsOf(terms, one);
      const ranMs = Math.max(0, Math.min(one - terms.leasedAtMs, terms.maxRuntimeMs));
      const exact = terms.flat + (terms.perSecondMicros * ranMs) / 1e9;
      expect(Number.isInteger(credits)).toBe(true);
      expect(credits).toBeGreaterThanOrEqual(exact - 1e-3);
      expect(credits).toBeLessThan(exact + 1 + 1e-3);
    });
  });
});
