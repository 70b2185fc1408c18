import { SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { RefusedKeys } from './refused-keys.js';

describe('keys that were refused before', () => {
  const looks: string[] = [];
  let claimed = true;
  const fresh = (): RefusedKeys => {
    looks.length = 0;
    claimed = true;
    return new RefusedKeys({
      isKeyClaimed: (_, key) => {
        looks.push(key);
        return Promise.resolve(claimed);
      },
    });
  };
  const me = SELF_HOSTED_PRINCIPAL;

  it('cost a new key no look', async () => {
    expect(await fresh().isClaimed(me, 'new')).toBe(false);
    expect(looks).toEqual([]);
  });

  it('share one look between requests that come together', async () => {
    const keys = fresh();
    keys.remember(me, 'k');
    expect(await Promise.all(Array.from({ length: 64 }, () => keys.isClaimed(me, 'k')))).not.toContain(false);
    expect(looks).toEqual(['k']);
  });

  it('are free again when the jobs service says so, at once', async () => {
    const keys = fresh();
    keys.remember(me, 'k');
    expect(await keys.isClaimed(me, 'k')).toBe(true);
    claimed = false;
    expect(await keys.isClaimed(me, 'k')).toBe(false);
    expect(await keys.isClaimed(me, 'k')).toBe(false);
    expect(looks).toEqual(['k', 'k']);
  });

  it('are of one account', async () => {
    const keys = fresh();
    keys.remember(me, 'k');
    expect(await keys.isClaimed({ ...me, accountId: 'another' as never }, 'k')).toBe(false);
  });

  it('are bounded in number: the oldest are evicted', async () => {
    const keys = fresh();
    for (let n = 0; n < 10_000; n += 1) keys.remember(me, `k${n}`);
    await Promise.all(Array.from({ length: 10_000 }, (_, n) => keys.isClaimed(me, `k${n}`)));
    expect(looks.length).toBe(4_096);
    expect(looks.at(-1)).toBe('k9999');
  });
});
