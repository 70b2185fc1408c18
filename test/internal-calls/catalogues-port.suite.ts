import type { CataloguesPort, DeploymentsPort } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { plain, someLabel, viewOf } from './deployments-under-test.js';

/** Beyond what gRPC takes by default in one message */
const LARGE_BYTES = 6 * 1024 ** 2;

/** CataloguesPort, directly and over gRPC */
export function itReadsCatalogues(catalogues: () => CataloguesPort, deployments: () => DeploymentsPort): void {
  it.each([
    ['a small one', '{"KSampler":{"display_name":"é","output":["LATENT"]}}'],
    ['a large one', `{"A":{"description":"${'é'.repeat(LARGE_BYTES / 2)}","output":["INT"]}}`],
  ])('reads the catalogue of an environment, byte for byte: %s', async (_, text) => {
    const deployment = plain(someLabel());
    const environment = { ...deployment.environment, catalogue: Buffer.from(text) };
    const { catalogueHash } = viewOf(await deployments().create({ ...deployment, environment })).environment;
    const document = await catalogues().document(catalogueHash!);
    expect(Buffer.compare(document!, environment.catalogue)).toBe(0);
  });

  it('has nothing for a digest that nobody pinned', async () => {
    expect(await catalogues().document(`blake3:${'0'.repeat(64)}`)).toBeNull();
  });
}
