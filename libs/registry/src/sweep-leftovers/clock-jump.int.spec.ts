import { newBlobKey } from '@heddle/platform-blob-store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import { PendingSweep } from './pending-sweep.js';
import { SweepLoop } from './sweep-loop.js';

const JUMP_MS = 8 * 86_400_000;
const ROUNDS_MS = 400;

describe('a jump of the clock of the database', () => {
  let registry: ManagedRegistry;
  afterEach(() => registry.close());

  /** A version and an upload without bytes, in a registry that has looked at the clock and sweeps all the time. */
  async function open(clockToleranceMs: number): Promise<void> {
    registry = await ManagedRegistry.open({ pendingMs: 60_000, clockToleranceMs });
    const token = await registry.publisher('acme', 'key-ann', { expires_in: 1_000_000 });
    await registry.publish('acme', 'pack-a', '1.0.0', token);
    await registry.database.owner.query('insert into registry.upload (blob) values ($1)', [newBlobKey()]);
    const rounds = vi.spyOn(registry.app.get(PendingSweep), 'run');
    const loop = registry.app.get(SweepLoop);
    await loop.stop();
    loop.start(20);
    await vi.waitFor(() => expect(rounds).toHaveBeenCalled(), 10_000);
  }
  const left = async (): Promise<[number | null, number | null]> => {
    const { owner } = registry.database;
    const versions = await owner.query(`select from registry.version where status = 'pending'`);
    return [versions.rowCount, (await owner.query('select from registry.upload')).rowCount];
  };
  const someRounds = async (): Promise<void> => await new Promise((done) => setTimeout(done, ROUNDS_MS));

  it('by 8 days, for many rounds and back, ends no version and no upload', async () => {
    await open(300_000);
    await registry.database.advanceClock(JUMP_MS);
    await someRounds();
    expect(await left()).toEqual([1, 1]);
    await registry.database.advanceClock(-JUMP_MS);
    await someRounds();
    expect(await left()).toEqual([1, 1]);
  });

  it('is believed where it stays: sweeps go on', async () => {
    await open(1_000);
    await registry.database.advanceClock(JUMP_MS);
    await someRounds();
    expect(await left()).toEqual([1, 1]);
    await vi.waitFor(async () => expect(await left()).toEqual([0, 0]), 10_000);
  });
});
