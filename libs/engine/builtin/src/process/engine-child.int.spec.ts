import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const skipped = process.getuid?.() !== 0 || spawnSync('setpriv', ['--version']).status !== 0;
const title = 'an engine process that may not be killed';

/** Root without CAP_KILL starts an engine process of another user and ends it twice. */
const SCRIPT = `
  const { EngineChild } = await import(process.argv[1]);
  const limits = { pixelBytes: 64 * 1024 ** 2, cacheBytes: 1024 ** 2 };
  const child = new EngineChild(limits, 64 * 1024 ** 2, { uid: 61184, gid: 61184 });
  await child.ready;
  child.kill();
  child.kill();
  console.log((await child.exited).reason, child.isAlive);
`;

describe.skipIf(skipped)(skipped ? `${title} (skipped: it takes root and setpriv)` : title, () => {
  it('ends without its channel, and its parent lives', () => {
    const entry = new URL('../../dist/process/engine-child.js', import.meta.url).pathname;
    const node = [process.execPath, '--input-type=module', '-e', SCRIPT, entry];
    const said = execFileSync('setpriv', ['--bounding-set=-kill', '--inh-caps=-kill', '--', ...node], {
      stdio: 'pipe',
    });
    expect(said.toString().trim()).toBe('exit code 0 false');
  });
});
