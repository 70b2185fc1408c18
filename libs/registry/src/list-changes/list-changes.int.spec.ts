import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

interface Change {
  readonly seq: number;
  readonly type: string;
  readonly node_id: string;
  readonly version: string;
  readonly at: string;
}

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
});
afterAll(() => registry.close());

const page = async (after: number, limit = 1_000) =>
  (await get(registry, `/changes?after=${after}&limit=${limit}`)).body as { changes: Change[]; next: number };

describe('the changes', () => {
  it('are the events of the log in their order, without reports, and end where they began when there are none', async () => {
    expect(await page(0)).toEqual({ changes: [], next: 0 });
    await makePublisher(registry, 'pub');
    await makeNode(registry, 'pub', 'Pack');
    await registry.log.commit(async (unit) => {
      const node = (await unit.node('pack'))!;
      const data = { actor: 'account:1', reason: 'spam', message: 'private' };
      await unit.changeNode(node, [{ type: 'NodeReported', data }]);
    });
    await makeVersion(registry, 'pack', '1.0.0');
    await expect.poll(async () => (await page(0)).changes.length).toBe(6);
    const { changes, next } = await page(0);
    expect(changes.map(({ type, node_id, version }) => [type, node_id, version])).toEqual([
      ['PublisherCreated', '', ''],
      ['NodeCreated', 'Pack', ''],
      ['VersionPublished', 'Pack', '1.0.0'],
      ['VersionUploaded', 'Pack', '1.0.0'],
      ['VersionScanned', 'Pack', '1.0.0'],
      ['VersionExtracted', 'Pack', '1.0.0'],
    ]);
    expect(next).toBe(changes.at(-1)!.seq);
    expect(changes.every(({ at }) => new Date(at).toISOString() === at)).toBe(true);
    expect(await page(next)).toEqual({ changes: [], next });
  });

  it('miss nothing for a reader that follows while many write', async () => {
    const seen: Change[] = [];
    let after = 0;
    let isOver = false;
    const follow = async (): Promise<void> => {
      const { changes, next } = await page(after, 3);
      seen.push(...changes);
      after = next;
    };
    const reader = (async () => {
      while (!isOver) await follow();
    })();
    await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        await makeNode(registry, 'pub', `node-${at}-x`.padEnd(12 + at, 'a'));
        await makeVersion(registry, `node-${at}-x`.padEnd(12 + at, 'a'), '1.0.0');
      }),
    );
    await expect.poll(async () => (await page(0)).changes.length).toBe(6 + 12 * 5);
    isOver = true;
    await reader;
    // An empty page may be up to a second old: an event has its number some milliseconds after its commit.
    await expect.poll(async () => (await follow(), seen.length)).toBeGreaterThanOrEqual(6 + 12 * 5);
    expect(seen).toEqual((await page(0)).changes);
  });

  it.each([
    ['after', '-1'],
    ['after', 'a'],
    ['after', '99999999999999999'],
    ['limit', '0'],
    ['limit', '1001'],
  ])('refuse %s=%s by its name', async (name, value) => {
    const { status, body } = await get(registry, `/changes?${name}=${value}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_parameter' } });
    expect((body as { message: string }).message).toContain(name);
  });
});
