import { blake3Of, expectStatus, freshBytes } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { useServer } from './server.js';

describe('HEAD /api/v2/assets/by-hash/{hash}', () => {
  const server = useServer();

  it('answers 200 without a body where the caller can mint from the blob (by-hash, 200) [FH01]', async () => {
    const { hash } = await server.client.uploaded();
    const answer = await server.client.headByHash(hash ?? '');
    expect(answer.status).toBe(200);
    expect(answer.bytes).toHaveLength(0);
  });

  it('answers 404 without a body otherwise (by-hash, 404) [FH02]', async () => {
    const answer = await server.client.headByHash(blake3Of(freshBytes()));
    expect(answer.status).toBe(404);
    expect(answer.bytes).toHaveLength(0);
  });

  it('reads a percent-encoded colon, as the TypeScript client sends it [FH03]', async () => {
    const { hash } = await server.client.uploaded();
    const encoded = encodeURIComponent(hash ?? '');
    expect(encoded).toContain('%3A');
    expect((await server.client.headByHash(encoded)).status).toBe(200);
  });

  it.each([
    'abc',
    `sha256:${'0'.repeat(64)}`,
    `blake3:${'0'.repeat(63)}`,
    `blake3:${'0'.repeat(65)}`,
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'blake3:',
    `blake3:${'z'.repeat(64)}`,
    'b'.repeat(3000),
  ])('answers 404 to the malformed hash %s (decisions, Hash on input) [FH04]', async (hash) => {
    expect((await server.client.headByHash(hash)).status).toBe(404);
  });

  it('answers 404 to a known hash in upper case (decisions, Hash on input: lower-case hex)', async () => {
    const { hash } = await server.client.uploaded();
    expect((await server.client.headByHash(`blake3:${(hash ?? '').slice(7).toUpperCase()}`)).status).toBe(404);
  });

  it('answers with the same headers whatever the reason for a 404 is (Authentication 4) [FH05]', async () => {
    const named = (headers: readonly string[]): string[] =>
      headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    const deleted = await server.client.uploaded();
    expectStatus(await server.client.deleteAsset(deleted.id), 204);
    const answers = [
      await server.client.headByHash(blake3Of(freshBytes())),
      await server.client.headByHash('abc'),
      await server.client.headByHash(deleted.hash ?? ''),
    ];
    for (const answer of answers) expect(named(answer.rawHeaders)).toEqual(named(answers[0]?.rawHeaders ?? []));
  });

  it('offers no other method than HEAD and at most GET without a body of bytes', async () => {
    const { hash } = await server.client.uploaded();
    const answer = await server.client.request('POST', `/api/v2/assets/by-hash/${hash}`);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toContain('HEAD');
  });
});
