import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const built = fileURLToPath(new URL('../dist/failpoint.js', import.meta.url));
const program = `
  import { failpoint, registerFailpoints, registeredFailpoints } from ${JSON.stringify(built)};
  registerFailpoints(['here', 'there']);
  for (let n = 1; n <= 3; n += 1) { console.log('here', n); failpoint('here'); }
  console.log(registeredFailpoints().join());
  if (process.argv[1] === 'unknown') failpoint('nowhere');
`;

function run(failpoints: string, ...args: string[]): { out: string; signal: string | null; status: number | null } {
  const env = { ...process.env, HEDDLE_FAILPOINTS: failpoints };
  const { stdout, signal, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program, ...args], {
    env,
  });
  return { out: stdout.toString().trim(), signal, status };
}

describe('a failpoint', () => {
  it('does nothing without a plan, and lists its name', () => {
    expect(run('')).toEqual({ out: 'here 1\nhere 2\nhere 3\nhere,there', signal: null, status: 0 });
  });

  it('kills the process at the planned pass', () => {
    expect(run('there=kill@1,here=kill@2')).toEqual({ out: 'here 1\nhere 2', signal: 'SIGKILL', status: null });
  });

  it('refuses a plan it cannot read and a name that nobody registered', () => {
    expect(run('here=boom').status).toBe(1);
    expect(run('there=kill@1', 'unknown').status).toBe(1);
  });
});
