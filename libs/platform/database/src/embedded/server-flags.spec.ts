import { describe, expect, it } from 'vitest';
import { serverFlags } from './server-flags.js';

/** As the server reads them: the last value of a name counts. */
function settings(flags: readonly string[]): ReadonlyMap<string, string> {
  return new Map(flags.flatMap((flag) => (flag === '-c' ? [] : [flag.split('=') as [string, string]])));
}

describe('the flags of a server for a load of data', () => {
  const usual = settings(serverFlags({}));
  const bulk = settings(serverFlags({ bulkLoad: true }));

  it('differ in memory, checkpoints and autovacuum alone: it is as durable and as closed', () => {
    const changed = [...bulk].filter(([name, value]) => usual.get(name) !== value).map(([name]) => name);
    expect([...new Set(['shared_buffers', ...changed])].sort()).toEqual([
      'autovacuum',
      'max_wal_size',
      'shared_buffers',
    ]);
    expect(bulk.get('fsync')).toBe('on');
    expect(bulk.get('synchronous_commit')).toBe('on');
  });

  it('never have less memory than those of a service', () => {
    expect(Number.parseInt(bulk.get('shared_buffers')!, 10)).toBeGreaterThanOrEqual(
      Number.parseInt(usual.get('shared_buffers')!, 10),
    );
  });
});
