import { describe, expect, it } from 'vitest';
import { UPSCALER, usePartnerProxy } from './partner-proxy.fixture.js';
import { ownServer } from './server.js';
import { surface } from './surface.js';

describe.runIf(ownServer)('the partner proxy with simulated vendors', () => {
  const { server, call } = usePartnerProxy();

  it('knows no upscale of another id, and on keyed surfaces none without a key [RG10]', async () => {
    const path = `${UPSCALER}/00000000-0000-4000-8000-000000000000`;
    const unknown = await call('GET', path);
    const form = { message: expect.any(String) as string };
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: 'not_found', ...form }]);
    if (surface.credential !== 'keys') return;
    const without = await fetch(server.registryUrl + path);
    expect([without.status, await without.json()]).toMatchObject([401, { error: 'unauthorized', ...form }]);
  });
});
