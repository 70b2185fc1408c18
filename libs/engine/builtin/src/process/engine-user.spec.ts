import { describe, expect, it } from 'vitest';
import { leaveRoot, userArgument } from '../child/leave-root.js';
import { missingCapabilities } from './capabilities.js';
import { withoutRoot } from './engine-user.js';

describe('the user of engine processes', () => {
  it('is never root nor of its group, whatever the name', () => {
    for (const user of [
      { uid: 0, gid: 900 },
      { uid: 900, gid: 0 },
      { uid: 900, gid: NaN },
    ]) {
      expect(() => withoutRoot('heddle-engine', user)).toThrow(/^HEDDLE_ENGINE_USER: heddle-engine has user id/);
    }
    expect(withoutRoot('heddle-engine', { uid: 900, gid: 901 })).toEqual({ uid: 900, gid: 901 });
  });

  it('is refused by the process itself if it would stay root', async () => {
    for (const argument of ['900,0', '0,900', '900', 'abc,900']) {
      await expect(leaveRoot(argument), argument).rejects.toThrow(`cannot become user ${argument}`);
    }
    await expect(leaveRoot(userArgument(undefined))).resolves.toBeUndefined();
  });

  it('needs every capability to become it, to share files with it and to end it', () => {
    expect(missingCapabilities('Name:\tnode\nCapEff:\t000001ffffffffff\n')).toEqual([]);
    expect(missingCapabilities('Name:\tnode\nCapEff:\t00000000000000c0\n')).toEqual([
      'CAP_CHOWN',
      'CAP_DAC_OVERRIDE',
      'CAP_KILL',
    ]);
    expect(missingCapabilities('no such field')).toEqual([]);
  });
});
