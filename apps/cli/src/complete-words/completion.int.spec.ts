import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';

/** The completions that bash offers for a line, with the script loaded as users load it. */
async function offered(line: string): Promise<string[]> {
  const { out } = await heddleInProcess(['completion', 'bash']);
  const words = line.split(' ');
  const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _heddle; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${out}\n${ask}`], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe('completion', () => {
  it.each([
    ['heddle j', ['jobs']],
    ['heddle assets u', ['upload', 'unblock']],
    ['heddle help hist', ['history']],
    ['heddle help jobs s', ['show']],
    ['heddle jobs list --st', ['--status']],
    ['heddle run graph.json --time', ['--timeout']],
    ['heddle --json ca', ['cancel']],
    ['heddle --tok', ['--token']],
    ['heddle --url http : //127.0.0.1 : 8189 ca', ['cancel']],
    ['heddle --url = http : //127.0.0.1 ca', ['cancel']],
    ['heddle --url nowhere jobs s', ['show']],
    ['heddle --url ca', []],
    ['heddle completion ', ['bash', 'zsh', 'fish']],
    ['heddle jobs list --status ca', ['canceling', 'canceled']],
    ['heddle jobs --status succ', ['succeeded']],
    ['heddle serve --queue-depth-a', ['--queue-depth-account']],
    ['heddle engine --ur', []],
    ['heddle registry re', ['revoke-token', 'request-review', 'review', 'rescan', 'release', 'redeliver']],
    ['heddle registry review pack@1.0.0 --status a', ['active']],
    ['heddle registry publish --registr', ['--registry']],
  ])('of "%s" in bash offers %j', async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });

  it('of fish has a line for each command', async () => {
    const fish = await heddleInProcess(['completion', 'fish']);
    expect(fish.out).toContain("complete -c heddle -f -n '__fish_use_subcommand' -a run");
  });

  it('of zsh is the script of bash under its emulation', async () => {
    const { out } = await heddleInProcess(['completion', 'zsh']);
    expect(out).toContain('bashcompinit');
    expect(out).toContain('complete -o default -F _heddle heddle');
  });
});
