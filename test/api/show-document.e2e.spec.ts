import { describe, expect, it } from 'vitest';
import { MULTIFRAME, UPSCALER, usePartnerProxy } from './partner-proxy.fixture.js';
import { ownServer } from './server.js';

describe.runIf(ownServer)('the partner proxy with simulated vendors', () => {
  const { call } = usePartnerProxy();

  it('has its routes in the document of the registry', async () => {
    const { paths } = (await (await call('GET', '/openapi.json')).json()) as { readonly paths: object };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining([MULTIFRAME, UPSCALER, '/proxy/webhook-secret']));
  });
});
