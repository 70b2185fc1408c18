import { afterEach, describe, expect, it } from 'vitest';
import { currentCallContext, withCallContext } from '@heddle/platform-telemetry';
import { CallFixture, signalled } from '../calls.fixture.js';
import { CallRefusal } from '../serve-calls/refusal.js';
import type { IncomingCall } from '../serve-calls/call-route.js';
import type { CallServer, ServedCall } from '../serve-calls/call-server.js';
import type { ServiceClient } from './service-client.js';

const fixture = new CallFixture();
afterEach(() => fixture.close());

type Handle = (call: IncomingCall) => Promise<{ head: unknown; bytes?: Uint8Array[] }>;
const PATH = '/v1/do';
const requests: ServedCall[] = [];

async function started(handle: Handle): Promise<ServiceClient> {
  requests.length = 0;
  const serve = (server: CallServer): void => server.route({ kind: 'plain', path: PATH, openTo: ['gateway'], handle });
  const { url } = await fixture.server(serve, { observe: (call) => void requests.push(call) });
  return fixture.client([url]);
}

const does = (head: unknown, bytes?: Buffer) => ({
  path: PATH,
  head,
  repeatable: false,
  gather: true,
  ...(bytes === undefined ? {} : { bytes: [bytes] }),
});

/** Holds the first two up, so that what comes behind them gathers. */
function held(handle: Handle) {
  const go = signalled();
  let served = 0;
  const holding: Handle = async (call) => {
    served += 1;
    if (served <= 2) await go.promise;
    return await handle(call);
  };
  return { holding, go };
}

describe('calls that gather', () => {
  it('share a request while two are under way, and each gets its own answer and bytes', async () => {
    const { holding, go } = held(({ head, bytes }) => Promise.resolve({ head, bytes: [bytes] }));
    const client = await started(holding);
    const answers = Array.from({ length: 40 }, (_, at) => client.call(does({ at }, Buffer.alloc(at, at))));
    go.resolve();
    for (const [at, answer] of (await Promise.all(answers)).entries()) {
      expect(answer.head).toEqual({ at });
      expect(answer.bytes).toEqual(Buffer.alloc(at, at));
    }
    expect(requests.length).toBeLessThan(10);
  });

  it('go alone while nothing is under way', async () => {
    const client = await started(({ head }) => Promise.resolve({ head }));
    for (let at = 0; at < 5; at += 1) expect((await client.call(does(at))).head).toBe(at);
    expect(requests).toHaveLength(5);
  });

  it('carry the request id and the trace context of each', async () => {
    const { holding, go } = held(() => Promise.resolve({ head: currentCallContext() }));
    const client = await started(holding);
    const contexts = Array.from({ length: 10 }, (_, at) => ({
      requestId: `r-${at}`,
      traceparent: `00-${String(at + 1).padStart(32, '0')}-${'b'.repeat(16)}-01`,
    }));
    const answers = contexts.map((context) => withCallContext(context, () => client.call(does(null))));
    go.resolve();
    expect((await Promise.all(answers)).map(({ head }) => head)).toEqual(contexts);
    expect(requests.length).toBeLessThan(10);
  });

  it('fail one by one', async () => {
    const { holding, go } = held(({ head }) => {
      if (head === 3) return Promise.reject(new Error('inside'));
      if (head === 4) return Promise.reject(new CallRefusal({ status: 403, code: 'not_yours', message: 'no' }));
      return Promise.resolve({ head });
    });
    const client = await started(holding);
    const answers = Array.from({ length: 8 }, (_, at) => client.call(does(at)));
    go.resolve();
    const settled = await Promise.allSettled(answers);
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value.head : (one.reason as Error).name))).toEqual([
      0,
      1,
      2,
      'CallFailedError',
      'CallRefusedError',
      5,
      6,
      7,
    ]);
  });

  it('do not wait for a process that hangs', async () => {
    const hang = [signalled(), signalled()];
    let hanging = 0;
    const client = await started(({ head }) => {
      if (head !== 'hangs') return Promise.resolve({ head });
      hang[hanging++]?.resolve();
      return new Promise(() => undefined);
    });
    for (const { promise } of hang) {
      client.call({ ...does('hangs'), deadlineMs: 60_000 }).catch(() => null);
      await promise;
    }
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => client.call(does(at))));
    expect(answers.map(({ head }) => head)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });
});
