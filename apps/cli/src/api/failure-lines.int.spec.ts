import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { startHeddle } from '../heddle-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

const ID = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';
const GRAPH = 'apps/cli/demo/graph.json';
const NOT_FOUND = { error: { code: 'not_found', message: 'There is nothing here, or it is not yours.' } };

let service: HostileServer;
let isThere: boolean;

beforeEach(async () => {
  isThere = false;
  service = await hostileServer((_, response) =>
    isThere ? sendJson(response, 200, { id: ID, status: 'running', outputs: [] }) : sendJson(response, 404, NOT_FOUND),
  );
});
afterEach(() => service.close());

const errorOf = async (...words: string[]): Promise<unknown> => {
  const { out } = await heddleInProcess([...words, '--json'], { HEDDLE_URL: service.url });
  return (JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { error: unknown }).error;
};

describe('what the service does not have', () => {
  it.each([['jobs show'], ['watch'], ['cancel']])('is named as a job by %s', async (command) => {
    const message = `no job ${ID} here`;
    expect(await errorOf(...command.split(' '), ID)).toEqual({
      code: 'not_found',
      message,
      hint: 'heddle jobs lists them',
    });
  });

  it.each([['assets show'], ['assets delete'], ['assets fetch']])('is named as an asset by %s', async (command) => {
    expect(await errorOf(...command.split(' '), ID)).toMatchObject({
      code: 'not_found',
      message: `no asset ${ID} here`,
    });
  });

  it('is a host that nobody meant, where a command names nothing', async () => {
    const asked = `${service.url} was asked: check --url or HEDDLE_URL, and whose key HEDDLE_TOKEN holds`;
    expect(await errorOf('jobs')).toMatchObject({ code: 'not_found', hint: asked });
  });

  it('is named with its input by run', async () => {
    const { code, err } = await heddleInProcess(['run', GRAPH, '--input', `1.image=asset:${ID}`, '--url', service.url]);
    expect(code).toBe(1);
    expect(err).toContain(`heddle: --input 1.image: no asset ${ID}\n`);
  });
});

describe('a command that ends before its job', () => {
  it('has a code of its own for a time-out and for an interrupt', async () => {
    isThere = true;
    const hint = expect.stringContaining(`heddle watch ${ID}`) as string;
    expect(await errorOf('watch', ID, '--timeout', '0.2')).toMatchObject({ code: 'timeout', hint });
    const seen = service.seen.length;
    const { child, ended } = startHeddle(['watch', ID, '--json'], { HEDDLE_URL: service.url });
    while (!service.seen.slice(seen).some(({ url }) => url.endsWith('/events'))) await new Promise(setImmediate);
    child.kill('SIGINT');
    const { code, lines } = await ended;
    expect([code, lines().at(-1)?.['error']]).toEqual([130, expect.objectContaining({ code: 'interrupted', hint })]);
  });
});
