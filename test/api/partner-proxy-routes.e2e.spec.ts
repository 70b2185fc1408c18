import { describe, expect, it } from 'vitest';
import { usePartnerProxy } from './partner-proxy.fixture.js';
import { ownServer } from './server.js';

describe.runIf(ownServer)('the partner proxy with simulated vendors', () => {
  const { call } = usePartnerProxy();

  it('answers in its form where nothing is served', async () => {
    const answer = await call('GET', '/proxy/videovendor/nothing');
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { message: expect.any(String) as string, details: [expect.any(String)] },
    ]);
    const other = await call('GET', '/proxy/imagevendor/nothing');
    expect([other.status, await other.json()]).toMatchObject([404, { error: 'not_found' }]);
  });
});
