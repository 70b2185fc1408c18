import { describe, expect, it } from 'vitest';
import { HELP, KubeUsageError, readKubeCommand } from './arguments.ts';

describe('the command line of npm run kube', () => {
  it('starts a cluster in the foreground, with nothing kept', () => {
    expect(readKubeCommand(['--simulated'])).toEqual({ action: 'run', keepData: false });
  });

  it('takes each option in any order', () => {
    expect(readKubeCommand(['--keep-data', '--detach', '--simulated'])).toEqual({
      action: 'detach',
      keepData: true,
    });
  });

  it.each([
    [['--down', '--detach'], '--down and --detach exclude each other'],
    [['--down', '--simulated'], '--down stops every kind'],
    [[], 'there is no real node yet; give --simulated'],
    [['--detach'], 'there is no real node yet; give --simulated'],
    [['--nodes=3'], '"--nodes=3" is not an option'],
    [['heddle'], '"heddle" is not an option'],
  ])('refuses %j', (words, text) => {
    expect(() => readKubeCommand(words)).toThrow(KubeUsageError);
    expect(() => readKubeCommand(words)).toThrow(text);
  });

  it('explains every option that it takes', () => {
    for (const option of ['--detach', '--down', '--simulated', '--keep-data', '--help']) {
      expect(HELP).toContain(`  ${option} `);
      const kind = ['--down', '--help', '--simulated'].includes(option) ? [] : ['--simulated'];
      expect(() => readKubeCommand([...kind, option])).not.toThrow();
    }
  });
});
