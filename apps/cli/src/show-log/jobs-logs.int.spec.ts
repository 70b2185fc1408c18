import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';
import { escapedLines } from '../terminal/plain-text.js';

const ID = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';
const TEXT = 'job\n\u001b[2J 50%\r100%\u0000\n';
const LOG = { text: TEXT, truncated: false, captured_at: '2026-01-01T00:00:00.000Z', complete: true };

describe('heddle jobs logs', () => {
  let service: HostileServer;
  let log: object | null;
  let hasLogs: boolean;
  beforeEach(async () => {
    [log, hasLogs] = [LOG, true];
    service = await hostileServer(({ url }, response) => {
      const urls = hasLogs ? { logs: `${service.url}/api/v2/jobs/${ID}/logs` } : {};
      if (url?.endsWith('/logs') !== true) sendJson(response, 200, { id: ID, status: 'succeeded', outputs: [], urls });
      else if (log === null) response.writeHead(204).end();
      else sendJson(response, 200, log);
    });
  });
  afterEach(() => service.close());
  const run = (...words: string[]) => heddleInProcess(['jobs', 'logs', ID, ...words], { HEDDLE_URL: service.url });

  it('prints the log as it was written into a pipe, and the whole answer with --json', async () => {
    expect(await run()).toMatchObject({ code: 0, out: TEXT });
    expect(JSON.parse((await run('--json')).out)).toEqual(LOG);
  });

  it('escapes what a terminal would act on', () => {
    expect(escapedLines(TEXT)).toEqual(['job', '\\u001b[2J 50%', '100%\\u0000', '']);
  });

  it('says that there is none', async () => {
    log = null;
    expect(await run()).toMatchObject({ code: 0, out: '', err: `no log of job ${ID}\n` });
    expect(JSON.parse((await run('--json')).out)).toEqual({ job_id: ID, text: null });
    hasLogs = false;
    expect(await run()).toMatchObject({ code: 0, out: '', err: expect.stringContaining('captures none') as string });
    expect(JSON.parse((await run('--json')).out)).toEqual({ job_id: ID, text: null });
  });

  it('refuses an answer without a log', async () => {
    log = { text: 7 };
    expect(await run()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('without a log') as string });
  });
});
