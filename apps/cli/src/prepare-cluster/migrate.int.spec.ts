import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateServer } from '@heddle/testing-database';
import type { PrivateServer } from '@heddle/testing-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heddleInProcess as run } from '../heddle-in-process.fixture.js';

interface Line {
  readonly step: string;
  readonly state: string;
}

describe('heddle migrate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-migrate-'));
  // Roles are those of a server: other specs need theirs with derived passwords.
  let server: PrivateServer;
  let ownerUrl: string;
  beforeAll(async () => {
    server = await privateServer();
    ownerUrl = server.url();
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  const check = async (env: Record<string, string> = {}): Promise<{ code: number; lines: Line[]; err: string }> => {
    const said = await run(['migrate', '--check', '--json'], { HEDDLE_DATABASE_URL: ownerUrl, ...env });
    const lines = said.out.split('\n').filter((line) => line !== '');
    return { code: said.code, lines: lines.map((line) => JSON.parse(line) as Line), err: said.err };
  };
  const roleUrl = (role: string, password: string): string => {
    const url = new URL(ownerUrl);
    return Object.assign(url, { username: role, password }).href;
  };

  it('--check names what is missing, changes nothing, and ends with 1', async () => {
    const first = await check();
    expect(first.code).toBe(1);
    expect(first.lines).toContainEqual({ step: 'jobs/0001-event-log', state: 'missing' });
    expect(first.lines.every(({ state }) => state === 'missing')).toBe(true);
    expect(await check()).toEqual(first);
  });

  it('gives a role the password of the URL in a file, and the others a derived one', async () => {
    const file = join(folder, 'logs-url');
    writeFileSync(file, `${roleUrl('heddle_logs', 'gi%40ven')}\n`);
    const env = { HEDDLE_DATABASE_URL: ownerUrl, HEDDLE_LOGS_DATABASE_URL_FILE: file };
    const { code, out, err } = await run(['migrate', '--show-urls', '--json'], env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const shown = out.split('\n').flatMap((line) => (line.includes('database_url') ? [JSON.parse(line)] : [])) as {
      service: string;
      database_url: string;
    }[];
    for (const { service, database_url: url } of shown) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.end();
      expect(url.includes('gi%40ven')).toBe(service === 'logs');
    }
    expect(shown).toHaveLength(6);
    expect(await check({ HEDDLE_LOGS_DATABASE_URL_FILE: file })).toEqual({ code: 0, lines: [], err: '' });
    const other = await check({ HEDDLE_LOGS_DATABASE_URL: roleUrl('heddle_logs', 'another') });
    expect(other).toMatchObject({ code: 1, lines: [{ step: 'role heddle_logs', state: 'missing' }] });
  });

  it('--check ends with 0 on a database of a later version, and with 1 if this version cannot work with it', async () => {
    await check();
    const env = { HEDDLE_LOGS_DATABASE_URL: roleUrl('heddle_logs', 'gi%40ven') };
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    await owner.query(`insert into logs.migration (name) values ('9001-later')`);
    expect(await check(env)).toEqual({ code: 0, lines: [{ step: 'logs/9001-later', state: 'ahead' }], err: '' });
    await owner.query(`insert into heddle.breaking_step values ('logs', '9001-later', 'another form')`);
    await owner.end();
    expect(await check(env)).toEqual({ code: 1, lines: [{ step: 'logs/9001-later', state: 'breaks' }], err: '' });
    const { code, err } = await run(['migrate'], { HEDDLE_DATABASE_URL: ownerUrl, ...env });
    expect(code).toBe(1);
    expect(err).toContain('logs/9001-later (another form)');
  });

  it.each([
    ['no URL', 'canary'],
    ['that of another role', 'postgres://heddle_jobs:canary@127.0.0.1/heddle'],
    ['without a password', 'postgres://heddle_assets@127.0.0.1/canary'],
  ])('refuses a role URL that is %s, without its text', async (_, url) => {
    const { code, err } = await check({ HEDDLE_ASSETS_DATABASE_URL: url });
    expect(code).toBe(2);
    expect(err).toContain('HEDDLE_ASSETS_DATABASE_URL must be the URL of the role heddle_assets with its password');
    expect(err).not.toContain('canary');
  });
});
