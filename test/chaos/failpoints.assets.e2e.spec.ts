import { ASSETS_FAILPOINTS } from '@heddle/assets';
import { JOBS_FAILPOINTS } from '@heddle/jobs';
import { LOGS_FAILPOINTS } from '@heddle/logs';
import { registeredFailpoints } from '@heddle/platform-database';
import { describe, expect, it } from 'vitest';
import { describeFailpoints } from './failpoint-cases.ts';

/** Standalone publishes no asset events: libs/assets/src/maintenance/crash.int.spec.ts covers that point. */
const REACHED = ASSETS_FAILPOINTS.filter((point) => point !== 'assets.events.published');

describeFailpoints('assets', REACHED, { operations: 2_000, uploads: 0.6, deletions: 0.3, cancels: 0.02 });

describe('the crash tests', () => {
  it('have a kill for every point that a library of the service registers', async () => {
    await import('@heddle/standalone');
    expect(registeredFailpoints()).toEqual([...JOBS_FAILPOINTS, ...ASSETS_FAILPOINTS, ...LOGS_FAILPOINTS].sort());
  });
});
