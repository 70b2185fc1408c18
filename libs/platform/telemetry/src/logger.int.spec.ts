import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const LOGGER = resolve(import.meta.dirname, '../dist/logger.js');

/** Runs the statement in a separate process, because the log goes to standard error. */
async function logged(statement: string): Promise<{ lines: Record<string, unknown>[]; stdout: string }> {
  const script = `import { createLogger } from ${JSON.stringify(LOGGER)}; const log = createLogger('info', { service: 't' }); ${statement}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const lines = stderr.split('\n').filter((line) => line !== '');
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), stdout };
}

describe('the log', () => {
  it('is one JSON object a line on standard error', async () => {
    const { lines, stdout } = await logged(`log.info({ a: 1 }, 'hello'); log.debug('not at this level');`);
    expect(stdout).toBe('');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'info', service: 't', a: 1, msg: 'hello' });
    expect(lines[0]!['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('escapes control characters: no client can forge a line', async () => {
    const { lines } = await logged(`log.info({ path: 'a\\r\\n{"level":"error"}\\u001b[31m' }, 'x');`);
    expect(lines).toHaveLength(1);
    expect(lines[0]!['path']).toContain('{"level":"error"}');
  });

  it('caps texts at 1 KiB, those of errors and messages too', async () => {
    const { lines } = await logged(
      `const long = 'y'.repeat(100000); log.error({ long, err: new Error(long, { cause: new Error(long) }) }, long);`,
    );
    expect(JSON.stringify(lines[0]).length).toBeLessThan(16_384);
  });

  it('says in the line itself that a disk is full, in the words of Node and of PostgreSQL, and once', async () => {
    const { lines } = await logged(`
      const failed = (code) => new Error('x', { cause: Object.assign(new Error('y'), { code }) });
      log.error({ err: failed('ENOSPC') }, 'a request failed');
      log.error({ err: failed('53100') }, 'a request failed');
      log.error({ err: failed('ENOSPC') }, 'no space left on the disk of /data');
      log.error({ err: failed('EIO') }, 'a request failed');
    `);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'a request failed: no space left on the disk',
      'a request failed: no space left on the disk of the database',
      'no space left on the disk of /data',
      'a request failed',
    ]);
  });

  it('redacts credentials wherever their fields sit', async () => {
    const { lines } = await logged(
      `log.info({ authorization: 'canary', headers: { authorization: 'canary' }, body: { extra_data: { api_key_partner_org: 'canary' } } }, 'x');`,
    );
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});
