import { rawConnection, textGraph } from '@heddle/testing-api';
import type { RawConnection } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { watchMemory } from './process-memory.js';

const MIB = 1024 ** 2;
/** The default of HEDDLE_BODY_BUDGET_BYTES. */
const BUDGET_MIB = 256;
const CONNECTIONS = 60;
const WARM_UP = 10;
const NODES = 5_000;
const BODY_BYTES = 10 * MIB;

/** The most nodes with the longest ids, each with six problems: a body of 4 MB, whose refusal has 5 MB. */
function worstSubmission(): Buffer {
  const nodes = Array.from({ length: NODES }, (_, at) => {
    const id = '\\u0001'.repeat(123) + String(at).padStart(5, '0');
    return `"${id}":{"class_type":"SaveAnimatedWEBP","inputs":{}}`;
  });
  return Buffer.from(`{"workflow":{${nodes.join()}}}`);
}

describe.runIf(ownServer)('refusals of megabytes that nobody takes (reliability 4.2)', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_STALLED_S: '600' });
  const connections: RawConnection[] = [];
  const submission = worstSubmission();
  let growthMib: number;

  /** Sends a submission, and reads no more than the beginning of its answer. */
  const submitUnread = async (): Promise<void> => {
    const connection = await rawConnection(server.url);
    connections.push(connection);
    const { host } = new URL(server.url);
    connection.write(`POST /api/v2/jobs HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${submission.length}\r\n\r\n`);
    connection.write(submission);
    await connection.read((said) => said.includes('"code"'));
    connection.socket.pause();
  };
  const metric = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${server.opsUrl}/metrics`)).text())?.[1]);

  beforeAll(async () => {
    // A warm-up, because a process keeps the memory of its first large submissions.
    for (let sent = 0; sent < WARM_UP; sent += 1) await server.client.submitRaw(submission);
    const memory = await watchMemory(server.process.pid);
    for (let sent = 0; sent < CONNECTIONS; sent += 1) await submitUnread();
    growthMib = await memory.growth();
  }, 120_000);
  afterAll(() => connections.forEach((connection) => connection.destroy()));

  it('take the budget and little more', () => {
    expect(growthMib).toBeLessThan(BUDGET_MIB + 64);
  });

  it('take a quarter of the budget: beyond it the answer is 429', async () => {
    const answers = await Promise.all(
      connections.map(({ read }) =>
        read(() => true).then((said) => /^HTTP\/1\.1 (\d+)[^]*"code":"(\w+)"/.exec(said)?.slice(1).join(' ')),
      ),
    );
    const refused = answers.filter((answer) => answer === '422 invalid_workflow').length;
    expect(answers.filter((answer) => answer === '429 rate_limited')).toHaveLength(CONNECTIONS - refused);
    expect(refused).toBeGreaterThan(8);
    expect(refused).toBeLessThan(16);
    const held = await metric('heddle_body_bytes');
    expect(held).toBeGreaterThan(32 * MIB);
    expect(held).toBeLessThanOrEqual((BUDGET_MIB / 4) * MIB);
  });

  it('leave room for the bodies and the answers of others', async () => {
    const body = JSON.stringify({ workflow: textGraph() }).padEnd(BODY_BYTES);
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.client.submitRaw(body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect((await server.client.jobPage('')).jobs).toHaveLength(8);
  });

  it('give everything back once their clients have gone', async () => {
    for (const connection of connections) connection.destroy();
    await expect.poll(() => metric('heddle_body_bytes')).toBe(0);
    expect((await server.client.submitRaw(submission)).status).toBe(422);
  });
});
