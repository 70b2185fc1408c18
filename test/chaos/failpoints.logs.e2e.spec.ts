import { LOGS_FAILPOINTS } from '@heddle/logs';
import { eventually, expectStatus, HeddleClient, jsonOf, textGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY_FOR_TESTS } from '../security/keyed-heddle.ts';

const ENV = { HEDDLE_SURFACE: 'dedicated', HEDDLE_BOOTSTRAP_KEY: KEY_FOR_TESTS, HEDDLE_LEASE_S: '0.8' };

describe('a dedicated service that is killed while it captures an execution log', { timeout: 120_000 }, () => {
  let first: Standalone;

  beforeAll(async () => {
    first = await startStandalone({ env: ENV });
  }, 60_000);
  afterAll(() => first.stop());

  const again = async (failpoints: Readonly<Record<string, string>>): Promise<Standalone> =>
    await startStandalone({ env: { ...ENV, ...failpoints }, dataDir: first.dataDir, port: first.port });
  const client = async (): Promise<HeddleClient> =>
    await HeddleClient.connect(first.url, { token: KEY_FOR_TESTS, signedUrls: true });

  it.each(LOGS_FAILPOINTS)('at %s runs the job again, and has the log of the attempt that ended it', async (point) => {
    await first.terminate();
    const doomed = await again({ HEDDLE_FAILPOINTS: `${point}=kill@1` });
    const submitter = await client();
    const { id } = await eventually('a deployment that is ready', async () => {
      const answer = await submitter.submit(textGraph());
      return answer.status === 429 ? null : jsonOf<{ id: string }>(expectStatus(answer, 201));
    });
    expect((await doomed.ended).signal).toBe('SIGKILL');
    const next = await again({});
    try {
      const reader = await client();
      await reader.reached(id, 'succeeded', 30_000);
      const log = jsonOf<{ text: string; complete: boolean }>(
        expectStatus(await reader.get(`/api/v2/jobs/${id}/logs`), 200),
      );
      expect(log.text).toContain(`job ${id}, attempt 2`);
      expect(log.complete).toBe(true);
    } finally {
      await next.terminate();
    }
  });
});
