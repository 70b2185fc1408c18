import { newServiceKeyPair } from '@heddle/platform-service-calls';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { ServedCalls, ServedContext } from '@heddle/platform-service-calls/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedToken, tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';

const SERVICES = ['gateway', 'jobs', 'assets', 'validation', 'logs', 'registry', 'worker'];
const DEFAULT_MAX_BYTES = 1024 ** 2;
/** 10 MiB for a body and 6 MiB for the other fields */
const WITH_BODY_BYTES = 16 * 1024 ** 2;

/** A call that sends the test's bytes to the path of a call. */
function rawCall(path: string) {
  const asTheyAre = (bytes: Buffer): Buffer => bytes;
  return {
    path,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: asTheyAre,
    requestDeserialize: asTheyAre,
    responseSerialize: asTheyAre,
    responseDeserialize: asTheyAre,
  };
}

/** Suite of refusals that apply to every call of a context. No refused call reaches the port. */
export function describeRefusals(name: string, context: ServedContext): void {
  describe(`the calls of ${name}`, () => {
    let server: ServedCalls;
    const channels: ServiceChannel[] = [];
    beforeAll(async () => {
      server = await servingCalls([context]);
    });
    afterAll(async () => {
      for (const channel of channels) await channel.close();
      await server.close();
    });
    function from(token: string, url = server.url): ServiceChannel {
      const channel = channelTo(name, [url], { token });
      channels.push(channel);
      return channel;
    }
    const calls = Object.entries(context.definition).map(([method, { path }]) => ({ path, ...context.rules[method]! }));
    const limits = calls.map(({ path, openTo, maxBytes = DEFAULT_MAX_BYTES }) => ({
      path,
      openTo,
      limit: maxBytes === 'body' ? WITH_BODY_BYTES : maxBytes,
    }));
    const NOTHING = Buffer.alloc(0);

    it.each(calls)('$path: not without a token, nor with one that is forged or over', async ({ path, openTo }) => {
      const forged = signedToken(newServiceKeyPair().privateKey, { sub: openTo[0]! });
      for (const token of [
        '',
        'a.b.c',
        forged,
        tokenOf(openTo[0]!, null, { exp: Math.floor(Date.now() / 1_000) - 3_600 }),
      ]) {
        const refused = { name: 'CallRefusedError', status: 401, code: 'no_identity' };
        await expect(from(token).call(rawCall(path), NOTHING), token).rejects.toMatchObject(refused);
      }
    });

    it.each(calls)('$path: not with the token of another service', async ({ path, openTo }) => {
      for (const service of SERVICES.filter((one) => !openTo.includes(one))) {
        const refused = { name: 'CallRefusedError', status: 403, code: 'not_yours' };
        await expect(from(tokenOf(service)).call(rawCall(path), NOTHING), service).rejects.toMatchObject(refused);
      }
    });

    it.each(limits)('$path: not beyond its size', async ({ path, openTo, limit }) => {
      for (const bytes of [limit + 1, limit + 2 * 1024 ** 2]) {
        const call = from(tokenOf(openTo[0]!)).call(rawCall(path), Buffer.alloc(bytes));
        await expect(call, `${bytes}`).rejects.toMatchObject({
          name: 'CallRefusedError',
          status: 413,
          code: 'too_large',
        });
      }
      const oneMore = from(tokenOf(openTo[0]!)).call(rawCall(path), Buffer.alloc(limit + 1));
      await expect(oneMore).rejects.toThrow(`the limit of this call is ${limit}`);
    });

    it('are of one version: those of another are unknown', async () => {
      const { path, openTo } = calls[0]!;
      for (const unknown of [path.replace('.v1.', '.v2.'), `${path}Again`]) {
        const call = from(tokenOf(openTo[0]!)).call(rawCall(unknown), NOTHING);
        await expect(call, unknown).rejects.toMatchObject({
          name: 'CallRefusedError',
          status: 404,
          code: 'unknown_call',
        });
      }
    });

    it('are not taken any more by a process that has stopped', async () => {
      const stopping = await servingCalls([context]);
      const { path, openTo } = calls[0]!;
      const channel = from(tokenOf(openTo[0]!), stopping.url);
      await stopping.close();
      await expect(channel.call(rawCall(path), NOTHING)).rejects.toMatchObject({ name: 'ServiceAwayError' });
    });
  });
}
