import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import type { CommandOutput } from '../heddle-in-process.fixture.js';
import { PYPROJECT, repositoryWith } from '../publish-package/package-folder.fixture.js';
import { tokenFile } from './saved-tokens.js';

const SOURCE = 'import base64\nNODE_CLASS_MAPPINGS = {}\nexec(base64.b64decode("cHJpbnQoMSk="))\n';
const ACCOUNT = 'the-static-token-of-the-operator';
const FLAGGED = 'image-tools@1.2.0';

let service: Standalone;
let home: string;
let folder: string;
/** As a stranger, unless `env` says more. */
const heddle = async (words: readonly string[], env: Record<string, string> = {}): Promise<CommandOutput> =>
  await heddleInProcess(['registry', ...words], { HEDDLE_URL: service.url, HOME: home, ...env });
const line = async (words: readonly string[], env: Record<string, string> = {}): Promise<Record<string, unknown>> => {
  const { code, out, err } = await heddle([...words, '--json'], env);
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  return JSON.parse(out) as Record<string, unknown>;
};
const asAccount = { HEDDLE_TOKEN: ACCOUNT };
const asOperator = async (...words: string[]) => await line(words, { HEDDLE_DATA: service.dataDir });
const tokenOf = async (publisher: string, ...more: string[]): Promise<Record<string, string>> =>
  (await line(['create-token', publisher, '--name', 'CI', ...more], asAccount)) as Record<string, string>;
const kept = async (): Promise<string> => await readFile(tokenFile({ HOME: home }), 'utf8').catch(() => '');

beforeAll(async () => {
  service = await startStandalone({ env: { HEDDLE_STATIC_TOKEN: ACCOUNT } });
  home = await mkdtemp(join(tmpdir(), 'heddle-home-'));
  folder = await repositoryWith({ 'pyproject.toml': PYPROJECT, '__init__.py': SOURCE });
  for (const publisher of ['acme', 'other']) await line(['create-publisher', publisher, '--name', 'A'], asAccount);
  const { token } = await tokenOf('acme');
  // Flagged, so it ends with 1.
  const { code, err } = await heddle(['publish', folder, '--force'], { HEDDLE_REGISTRY_TOKEN: token! });
  expect([code, err]).toEqual([1, expect.stringContaining('heddle registry request-review image-tools@1.2.0')]);
});

afterAll(async () => {
  await service.stop();
  for (const made of [home, folder]) await rm(made, { recursive: true, force: true });
});

describe('heddle registry login', () => {
  it('keeps no token that the registry does not accept for the publisher', async () => {
    const revoked = await tokenOf('acme');
    await line(['revoke-token', 'acme', revoked['id']!], asAccount);
    const ofOther = await tokenOf('other');
    for (const token of [revoked['token']!, ofOther['token']!]) {
      const { code, err } = await heddle(['login', 'acme'], { HEDDLE_REGISTRY_TOKEN: token });
      expect([code, err]).toEqual([1, expect.stringContaining('nothing was kept')]);
      expect(err).toContain('heddle registry tokens acme');
    }
    const elsewhere = { HEDDLE_REGISTRY_TOKEN: ofOther['token']!, HEDDLE_REGISTRY_URL: '127.0.0.1:9/reg' };
    expect(await heddle(['login', 'other'], elsewhere)).toMatchObject({ code: 3 });
    expect(await kept()).toBe('');
  });

  it('keeps one that may do little, given by --token too', async () => {
    const { token } = await tokenOf('other', '--nodes', 'pack', '--actions', 'delete');
    const base = `${service.url}/registry`;
    expect(await line(['login', 'other', '--token', token!])).toEqual({ publisher: 'other', registry: base });
    expect(JSON.parse(await kept())).toEqual({ [base]: { other: token } });
  });
});

describe('a kept token that ended', () => {
  it('breaks no read: the command says so, names the next step and goes on', async () => {
    const { id, token } = await tokenOf('acme');
    await line(['login', 'acme'], { HEDDLE_REGISTRY_TOKEN: token! });
    await line(['revoke-token', 'acme', id!], asAccount);
    for (const words of [
      ['show', 'image-tools'],
      ['show', FLAGGED],
      ['status', FLAGGED],
      ['versions', 'image-tools'],
      ['classes', FLAGGED],
      ['search', 'image'],
      ['install', FLAGGED, '--into', join(home, 'nodes'), '--allow-flagged'],
    ]) {
      const { code, err } = await heddle(words);
      expect([...words, code]).toEqual([...words, 0]);
      const isMembers = words[0] !== 'search' && words[0] !== 'install';
      expect([words, err.includes('heddle registry login PUBLISHER')]).toEqual([words, isMembers]);
      expect(err).not.toContain(token);
    }
    const refused = await heddle(['deprecate', FLAGGED]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('heddle registry login acme')]);
  });

  it('is the same with a credential of an account that the service does not know', async () => {
    const { code, out, err } = await heddle(['show', 'image-tools'], { HEDDLE_TOKEN: 'wrong' });
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('image-tools'),
      expect.stringContaining('--token or HEDDLE_TOKEN'),
    ]);
  });
});

describe('the token of a publisher as --token', () => {
  it('does what a publisher does', async () => {
    const { token = '' } = await tokenOf('acme', '--actions', 'publish,deprecate,delete');
    const as = ['--token', token];
    expect(await line(['deprecate', FLAGGED, '--reason', 'r', ...as])).toMatchObject({ deprecated_reason: 'r' });
    expect(await line(['deprecate', FLAGGED, '--undo'], { HEDDLE_TOKEN: token })).toMatchObject({ deprecated: false });
    expect(await line(['request-review', FLAGGED, '--message', 'it is its own text', ...as])).toEqual({});
    const again = await heddle(['publish', folder, '--force', ...as]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('version_exists')]);
  });

  it('is refused with its place where an account is needed', async () => {
    const { token = '' } = await tokenOf('acme');
    for (const words of [
      ['create-publisher', 'more', '--name', 'More'],
      ['create-token', 'acme', '--name', 'CI'],
      ['tokens', 'acme'],
      ['delete', 'image-tools'],
      ['claim', 'image-tools', '--publisher', 'acme'],
    ]) {
      const { code, err } = await heddle([...words, '--token', token]);
      expect([words, code, err]).toEqual([words, 2, expect.stringContaining('--token holds the token of a publisher')]);
      const env = await heddle(words, { HEDDLE_TOKEN: token });
      expect([env.code, env.err]).toEqual([2, expect.stringContaining('HEDDLE_TOKEN holds the token of a publisher')]);
      expect(err + env.err).not.toContain(token);
    }
  });
});

describe('a decision of the operator', () => {
  it('is shown with its reason to the publisher, by any token that is kept or given, and to no stranger', async () => {
    const { token = '' } = await tokenOf('acme');
    await line(['login', 'acme'], { HEDDLE_REGISTRY_TOKEN: token });
    const stranger = { HOME: join(home, 'of-nobody') };
    for (const [ban, unban] of [
      [
        ['ban', 'image-tools'],
        ['unban', 'image-tools'],
      ],
      [
        ['ban', '--publisher', 'acme'],
        ['unban', '--publisher', 'acme'],
      ],
      [
        ['review', FLAGGED, '--status', 'banned'],
        ['review', FLAGGED, '--status', 'active'],
      ],
    ] as const) {
      await asOperator(...ban, '--reason', 'looks like image-tool');
      const banned = { status: 'NodeVersionStatusBanned', status_reason: 'looks like image-tool' };
      const members: readonly Record<string, string>[] = [{}, { HEDDLE_REGISTRY_TOKEN: token }, asAccount];
      for (const env of members) {
        expect(await line(['status', FLAGGED], env)).toMatchObject(banned);
        expect((await heddle(['show', FLAGGED], env)).out).toMatch(/status +banned\n +reason +looks like image-tool\n/);
      }
      expect(await heddle(['status', FLAGGED], stranger)).toMatchObject({ code: 1, out: '' });
      for (const words of [
        ['status', FLAGGED],
        ['show', 'image-tools'],
      ])
        expect((await heddle(words, stranger)).err).not.toContain('looks like');
      if (ban[0] === 'ban') {
        const shown = await heddle(['show', 'image-tools']);
        expect([shown.code, shown.err]).toEqual([1, expect.stringContaining('The reason is "looks like image-tool')]);
      } else {
        const listed = await heddle(['versions', 'image-tools', '--status', 'banned', '--json']);
        expect(JSON.parse(listed.out)).toMatchObject(banned);
      }
      await asOperator(...unban);
    }
  });
});
