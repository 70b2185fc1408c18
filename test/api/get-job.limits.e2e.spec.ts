import { codeOf, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { moveClock } from './database.js';
import { expectRefusal, sameBody } from './expectations.js';
import { ownServer, unknownId, useServer } from './server.js';

describe.runIf(ownServer)('an account that reads jobs too fast', () => {
  const server = useServer(
    { HEDDLE_READ_RATE: '2', HEDDLE_READ_BURST: '5', HEDDLE_WORKERS: '0' },
    { gatewayBefore: 'idle' },
  );

  it('gets 429 rate_limited with Retry-After, for unknown ids too (Limits, Rate limit on job reads) [JB10]', async () => {
    const job = await server.client.submitted(textGraph());
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 30 }, () => server.client.job(job.id)));
    const seconds = (performance.now() - started) / 1000;
    const limited = answers.filter((answer) => answer.status === 429);
    // A burst of five, then two per second.
    expect(answers.length - limited.length).toBeLessThanOrEqual(5 + Math.ceil(2 * seconds));
    expect(limited.length).toBeGreaterThan(0);
    for (const answer of limited) expectRefusal(answer, 429, 'rate_limited');
    const [known, unknown] = await Promise.all([server.client.job(job.id), server.client.job(unknownId())]);
    if (known.status === 429 && unknown.status === 429) sameBody(known, unknown);
  });

  it('still submits, uploads and cancels: nothing else of v2 is rate-limited (decisions, Rate limits)', async () => {
    const job = await server.client.submitted(textGraph());
    await Promise.all(Array.from({ length: 20 }, () => server.client.job(job.id)));
    const others = await Promise.all([
      ...Array.from({ length: 10 }, () => server.client.submit(textGraph())),
      ...Array.from({ length: 10 }, () => server.client.headByHash('blake3:00')),
      ...Array.from({ length: 10 }, () =>
        server.client.upload({ bytes: Buffer.from('x'), content_type: 'a/b', file_path: 'x' }),
      ),
    ]);
    expect(others.map(codeOf)).not.toContain('rate_limited');
  });

  it('reads again after the time that Retry-After names', async () => {
    const job = await server.client.submitted(textGraph());
    await Promise.all(Array.from({ length: 20 }, () => server.client.job(job.id)));
    await expect
      .poll(async () => (await server.client.job(job.id)).status, { timeout: 30_000, interval: 600 })
      .toBe(200);
  });
});

describe.runIf(ownServer)('with the limits as they are set by default', () => {
  const server = useServer(
    { HEDDLE_READ_RATE: '', HEDDLE_READ_BURST: '', HEDDLE_WORKERS: '0' },
    { gatewayBefore: 'idle' },
  );

  it('never meets the limit with ordinary polling: 25 jobs, twice a second (decisions, Rate limits)', async () => {
    const jobs = await Promise.all(Array.from({ length: 25 }, () => server.client.submitted(textGraph())));
    for (let round = 0; round < 4; round += 1) {
      const started = performance.now();
      const answers = await Promise.all(jobs.map((job) => server.client.job(job.id)));
      expect(answers.map((answer) => answer.status)).toEqual(jobs.map(() => 200));
      await expect.poll(() => performance.now() - started, { interval: 50 }).toBeGreaterThanOrEqual(500);
    }
  });
});

/** Longer than a job takes on any machine, and short enough that no sweep treats it as a clock jump. */
const RETENTION_S = 120;

describe.runIf(ownServer)('a job past its retention', () => {
  const server = useServer({ HEDDLE_JOB_RETENTION_S: String(RETENTION_S), HEDDLE_WORKERS: '1' });

  it('answers 404 on every route, as an unknown id does, and never the status expired (decisions, Past retention) [JB05]', async () => {
    const job = await server.client.submitted(textGraph());
    const ended = await server.client.ended(job.id);
    expect(ended.status).toBe('succeeded');
    await moveClock(server.process, (RETENTION_S + 1) * 1000);
    await expect.poll(async () => (await server.client.job(job.id)).status, { timeout: 30_000 }).toBe(404);
    const unknown = await server.client.job(unknownId());
    for (const route of ['', '/workflow', '/events'])
      sameBody(await server.client.get(`/api/v2/jobs/${job.id}${route}`), unknown);
    expectRefusal(await server.client.cancel(job.id), 404, 'not_found');
    expect((await server.client.jobPage()).jobs.map((listed) => listed.id)).not.toContain(job.id);
    expectRefusal(await server.client.asset(ended.outputs[0]?.id ?? ''), 404, 'not_found');
  });
});
