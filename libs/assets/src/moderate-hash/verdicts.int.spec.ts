import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { ModerateHashHandler } from './moderate-hash.handler.js';
import { VerdictWriter } from './verdict-writer.js';

describe('a verdict', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database);
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });
  const found = async (hash: string) => valueOf(await under.get(ModerateHashHandler).verdict(hash));

  it('exists for every hash, stored or not, and for nothing else', async () => {
    const hash = hashOf('nobody decided on it');
    expect(await found(hash)).toEqual({ hash, blocked: false, held: false, source: null, decidedAt: null });
    for (const wrong of ['', 'blake3:12', hash.toUpperCase(), `${hash}\n`]) {
      expect(codeOf(await under.get(ModerateHashHandler).verdict(wrong))).toBe('invalid_request');
      expect(codeOf(await under.get(ModerateHashHandler).handle(wrong, 'block'))).toBe('invalid_request');
    }
  });

  it('keeps block and hold apart', async () => {
    const hash = hashOf('apart');
    const states = [];
    for (const decision of ['block', 'hold', 'unblock', 'hold', 'block', 'release'] as const) {
      const { blocked, held, source } = valueOf(await under.get(ModerateHashHandler).handle(hash, decision));
      expect(source).toBe('admin');
      states.push(`${blocked ? 'blocked' : ''} ${held ? 'held' : ''}`.trim());
    }
    expect(states).toEqual(['blocked', 'blocked held', 'held', 'held', 'blocked held', 'blocked']);
  });

  it('of an operator on a block stands above the list and the scanner, a hold does not', async () => {
    const [unblocked, held] = [hashOf('unblocked by hand'), hashOf('held by hand')];
    await under.get(ModerateHashHandler).handle(unblocked, 'unblock');
    await under.get(ModerateHashHandler).handle(held, 'hold');
    for (const hash of [unblocked, held]) await under.get(VerdictWriter).scanned(hash, 'blocked');
    await under.get(VerdictWriter).listed([unblocked]);
    expect(await found(unblocked)).toMatchObject({ blocked: false, source: 'admin' });
    expect(await found(held)).toMatchObject({ blocked: true, held: true, source: 'scanner' });
    await under.get(ModerateHashHandler).handle(unblocked, 'block');
    expect(await found(unblocked)).toMatchObject({ blocked: true, source: 'admin' });
  });

  it('keeps its author and time when another one comes to the same result', async () => {
    const hash = hashOf('twice');
    await under.get(VerdictWriter).listed([hash]);
    const first = await found(hash);
    await database.advanceClock(1_000);
    await under.get(VerdictWriter).scanned(hash, 'blocked');
    await under.get(VerdictWriter).scanned(hash, 'clean');
    expect(await found(hash)).toEqual(first);
    expect(first).toMatchObject({ blocked: true, source: 'hashes' });
  });
});
