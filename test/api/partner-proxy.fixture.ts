import { beforeAll, expect } from 'vitest';
import { adminOf } from '../security/keyed-heddle.js';
import { useServer } from './server.js';
import type { TestServer } from './server.js';
import { surface } from './surface.js';

export const MULTIFRAME = '/proxy/videovendor/multiframe';
export const UPSCALER = '/proxy/imagevendor/v1/ai/image-upscaler-precision-v2';
export const IMAGE = 'https://images.example.com/a.png';

interface ProxyUnderTest {
  readonly server: TestServer;
  /** With the credential of the suite's account. What is answered is for its caller alone, and kept nowhere. */
  call(method: string, path: string, body?: object): Promise<Response>;
}

/** A server whose vendors are simulated, and an account with credits where the surface has accounts. */
export function usePartnerProxy(): ProxyUnderTest {
  const settings = { HEDDLE_VIDEOVENDOR_URL: 'simulated', HEDDLE_IMAGEVENDOR_URL: 'simulated' };
  const server = useServer(settings, { registry: true });
  beforeAll(async () => {
    if (surface.credential !== 'keys') return;
    await adminOf(server.process.dataDir)('POST', 'credits/default/grant', { amount: 10_000 });
  });
  return {
    server,
    call: async (method, path, body) => {
      const answer = await fetch(server.registryUrl + path, {
        method,
        headers: server.token === undefined ? {} : { authorization: `Bearer ${server.token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (path.startsWith('/proxy/')) expect(answer.headers.get('cache-control'), path).toBe('no-store');
      return answer;
    },
  };
}
