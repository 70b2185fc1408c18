import { Readable } from 'node:stream';
import { newUuid } from '@heddle/contracts-messages';
import type { AssetView, JobId } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { BlobCollector } from '../collect-blobs/blob-collector.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import type { AssetsSettings } from '../settings.js';
import { HashScanner } from './hash-scanner.js';
import { startScanner } from './scanner.fixture.js';
import type { Scanner, ScriptedAnswer } from './scanner.fixture.js';

const CLEAN = '{"verdict":"clean"}';

describe('the scanner of uploaded hashes', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest | null = null;
  let scanner: Scanner | null = null;
  const script = new Map<string, ScriptedAnswer>();
  const alice = somebody();
  const bob = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  afterEach(async () => {
    await under?.end();
    await scanner?.close();
    [under, scanner] = [null, null];
    script.clear();
    const tables = ['unscanned', 'walk', 'lease', 'verdict', 'asset', 'hold', 'blob', 'collect_candidate'];
    await database.owner.query(`truncate ${tables.map((name) => `assets.${name}`).join()}`);
  });
  afterAll(async () => {
    await database.drop();
  });

  /** Without a look interval, the service scans only when a test calls `scan`. */
  const open = async (settings: Partial<AssetsSettings> = {}): Promise<AssetsUnderTest> => {
    scanner ??= await startScanner((hash) => script.get(hash) ?? CLEAN);
    const quiet = { moderationUrl: scanner.url, moderationLookMs: 0, blobGraceMs: 0, ...settings };
    return (under ??= await assetsUnderTest(database.database, quiet));
  };
  const upload = async (bytes: string, of = under!, me = alice): Promise<AssetView> =>
    valueOf(await of.assets.upload(me, sampleRequest({ bytes, contentType: 'image/png' }))).asset;
  const scan = async (of = under!): Promise<void> => {
    while (await of.get(HashScanner).step());
    await of.get(HashScanner).ended();
  };
  const verdict = async (hash: string) => valueOf(await under!.get(ModerateHashHandler).verdict(hash));
  const waiting = async (): Promise<number> => (await database.owner.query('select from assets.unscanned')).rowCount!;

  it('gets the bytes of each uploaded hash once, with hash and media type', async () => {
    await open();
    const { hash } = await upload('scanned once');
    expect(scanner!.asked()).toBe(0);
    await scan();
    expect(scanner!.received).toEqual([{ hash, contentType: 'image/png', bytes: Buffer.from('scanned once') }]);
    expect(await verdict(hash)).toMatchObject({ blocked: false, held: false, source: 'scanner' });
    await upload('scanned once', under!, bob);
    await scan();
    expect(scanner!.asked(hash)).toBe(1);
    expect(await waiting()).toBe(0);
  });

  it('blocks and holds by its answer, also when it answers before the end of the bytes', async () => {
    await open();
    script.set(hashOf('bad'), '{"verdict":"blocked","reason":"x"}');
    script.set(hashOf('doubtful'), '{"verdict":"held"}');
    const big = 'x'.repeat(4_000_000);
    script.set(hashOf(big), 'early');
    const [bad, doubtful, early] = [await upload('bad'), await upload('doubtful'), await upload(big)];
    await scan();
    expect(await verdict(bad.hash)).toMatchObject({ blocked: true, held: false, source: 'scanner' });
    expect(codeOf(await under!.assets.content(alice, bad.id))).toBe('not_found');
    expect(codeOf(await under!.assets.upload(bob, sampleRequest({ bytes: 'bad' })))).toBe('input_blocked');
    expect(codeOf(await under!.assets.delete(alice, doubtful.id))).toBe('asset_in_use');
    expect(codeOf(await under!.assets.content(alice, doubtful.id))).toBe('accepted');
    expect(await verdict(early.hash)).toMatchObject({ blocked: true });
  });

  it.each([
    ['an error', 500],
    ['a redirect', 302],
    ['no JSON', 'blocked'],
    ['an unknown verdict', '{"verdict":"maybe"}'],
    ['another form', '[{"verdict":"blocked"}]'],
    ['null', 'null'],
    ['an endless answer', `{"verdict":"blocked","x":"${'y'.repeat(200_000)}"}`],
    ['silence', 'hang'],
  ] as const)('is asked again after %s, and meanwhile blocks nothing', async (name, answer) => {
    await open({ moderationTimeoutMs: 300 });
    const { hash, id } = await upload(`asked again after ${name}`);
    script.set(hash, answer);
    await scan();
    expect(await verdict(hash)).toMatchObject({ blocked: false, source: null });
    expect(codeOf(await under!.assets.content(alice, id))).toBe('accepted');
    const other = await upload(`beside ${name}`);
    await scan();
    expect(await verdict(other.hash)).toMatchObject({ source: 'scanner' });
    expect(scanner!.asked(hash)).toBe(1);
    script.delete(hash);
    await database.advanceClock(1_001);
    await scan();
    expect(await verdict(hash)).toMatchObject({ blocked: false, source: 'scanner' });
  });

  it('is asked for ever, with backoff up to the maximum', async () => {
    await open({ moderationRetryMs: 3_000 });
    const { hash } = await upload('refused for ever');
    script.set(hash, 503);
    await scan();
    for (const [round, pauseMs] of [1_000, 2_000, 3_000, 3_000].entries()) {
      await database.advanceClock(pauseMs - 500);
      await scan();
      expect(scanner!.asked(hash)).toBe(round + 1);
      await database.advanceClock(501);
      await scan();
      expect(scanner!.asked(hash)).toBe(round + 2);
    }
  });

  it('that hangs for some hashes does not delay others', async () => {
    await open({ moderationTimeoutMs: 60_000 });
    const stuck: AssetView[] = [];
    for (let at = 0; at < 3; at += 1) stuck.push(await upload(`stuck ${at}`));
    for (const { hash } of stuck) script.set(hash, 'hang');
    await under!.get(HashScanner).step();
    const { hash } = await upload('beside stuck ones');
    await under!.get(HashScanner).step();
    await expect.poll(async () => (await verdict(hash)).source).toBe('scanner');
    expect(await waiting()).toBe(3);
  });

  it('that is down costs few requests, and catches up once it is back', async () => {
    await open();
    const { port } = scanner!.url;
    await scanner!.close();
    for (let at = 0; at < 40; at += 1) await upload(`while it is down ${at}`);
    await scan();
    await scan();
    const tried = async (): Promise<number> =>
      (await database.owner.query('select from assets.unscanned where attempts > 0')).rowCount!;
    // Of 40: the slots, and those that were filled again before eight had failed.
    expect(await tried()).toBeLessThanOrEqual(16);
    scanner = await startScanner(undefined, Number(port));
    await database.advanceClock(60_000);
    await expect.poll(async () => (await scan(), await waiting()), { timeout: 10_000 }).toBe(0);
    expect(scanner.asked()).toBe(40);
  });

  it('gets hashes that a service without a scanner took, but no outputs', async () => {
    const { store } = await open();
    const before = await assetsUnderTest(database.database, {}, () => store);
    const { hash } = await upload('before the scanner', before);
    const lease = before.leases.lend(alice, { jobId: newUuid() as JobId });
    const output = { key: '9/0/0', name: 'a.png', type: 'image', contentType: 'image/png' } as const;
    await before.worker.commitOutput(lease, { ...output, body: Readable.from([Buffer.from('an output')]) });
    await before.end();
    expect(await waiting()).toBe(0);
    await scan();
    expect(scanner!.received).toEqual([{ hash, contentType: 'image/png', bytes: Buffer.from('before the scanner') }]);
  });

  it('is asked by one of several replicas', async () => {
    const one = await open();
    const settings = { moderationUrl: scanner!.url, moderationLookMs: 0 };
    const two = await assetsUnderTest(database.database, settings, () => one.store);
    for (let at = 0; at < 12; at += 1) await upload(`by one of two ${at}`);
    await Promise.all([scan(one), scan(two)]);
    for (let rounds = 0; rounds < 3; rounds += 1) await Promise.all([scan(one), scan(two)]);
    await two.end();
    expect(scanner!.asked()).toBe(12);
  });

  it('is not asked about bytes that an operator decided on, or that are gone', async () => {
    await open();
    const [judged, gone, kept] = [await upload('judged'), await upload('gone'), await upload('kept')];
    await under!.get(ModerateHashHandler).handle(judged.hash, 'unblock');
    await under!.get(ModerateHashHandler).handle(kept.hash, 'hold');
    valueOf(await under!.assets.delete(alice, gone.id));
    await under!.get(BlobCollector).run();
    await scan();
    expect(scanner!.received.map((one) => one.hash)).toEqual([kept.hash]);
    expect(await verdict(kept.hash)).toMatchObject({ held: true, source: 'admin' });
    expect(await waiting()).toBe(0);
  });

  it('runs in the background, from the start of the service to its end', async () => {
    await open({ moderationLookMs: 20 });
    const { hash } = await upload('in the background');
    await expect.poll(async () => (await verdict(hash)).source).toBe('scanner');
  });
});
