import { describe, expect, it } from 'vitest';
import { HELP, KubeUsageError, readKubeCommand } from './arguments.ts';

describe('the command line of npm run kube', () => {
  it('starts a real node in the foreground, with nothing kept', () => {
    expect(readKubeCommand([])).toEqual({ action: 'run', simulated: false, keda: false, keepData: false });
  });

  it('takes each option in any order', () => {
    expect(readKubeCommand(['--keep-data', '--detach', '--simulated'])).toEqual({
      action: 'detach',
      simulated: true,
      keda: false,
      keepData: true,
    });
    expect(readKubeCommand(['--keda'])).toMatchObject({ action: 'run', keda: true });
  });

  it.each([
    [['--down', '--detach'], '--down and --detach exclude each other'],
    [['--down', '--simulated'], '--down stops every kind'],
    [['--keda', '--simulated'], '--keda needs pods that run'],
    [['--down', '--keda'], '--down stops every kind'],
    [['--nodes=3'], '"--nodes=3" is not an option'],
    [['heddle'], '"heddle" is not an option'],
  ])('refuses %j', (words, text) => {
    expect(() => readKubeCommand(words)).toThrow(KubeUsageError);
    expect(() => readKubeCommand(words)).toThrow(text);
  });

  it('explains every option that it takes', () => {
    for (const option of ['--detach', '--down', '--simulated', '--keda', '--keep-data', '--help']) {
      expect(HELP).toContain(`  ${option} `);
      expect(() => readKubeCommand([option])).not.toThrow();
    }
  });
});
