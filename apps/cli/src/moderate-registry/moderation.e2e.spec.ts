import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { PYPROJECT, repositoryWith } from '../publish-package/package-folder.fixture.js';

const OTHER = { deleted: 'other-tools' };
const SOURCE = 'import base64\nNODE_CLASS_MAPPINGS = {}\nexec(base64.b64decode("cHJpbnQoMSk="))\n';

let service: Standalone;
let home: string;
let folder: string;
let token: string;
const more: string[] = [];
const heddle = async (...words: string[]) => {
  const env = { HEDDLE_URL: service.url, HEDDLE_DATA: service.dataDir, HOME: home, HEDDLE_REGISTRY_TOKEN: token };
  return await heddleInProcess(['registry', ...words], env);
};
const lines = async (...words: string[]): Promise<Record<string, unknown>[]> => {
  const { code, out, err } = await heddle(...words, '--json');
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  const texts = out.split('\n').filter((text) => text !== '');
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
};
const line = async (...words: string[]): Promise<Record<string, unknown>> => (await lines(...words))[0]!;

beforeAll(async () => {
  token = '';
  service = await startStandalone();
  home = await mkdtemp(join(tmpdir(), 'heddle-home-'));
  folder = await repositoryWith({ 'pyproject.toml': PYPROJECT, '__init__.py': SOURCE });
  await line('create-publisher', 'acme', '--name', 'Acme');
  const made = await line('create-token', 'acme', '--name', 'CI', '--actions', 'publish,deprecate,delete');
  token = String(made['token']);
  expect((await heddle('publish', folder, '--force')).code).toBe(1);
});

afterAll(async () => {
  await service.stop();
  for (const made of [home, folder, ...more]) await rm(made, { recursive: true, force: true });
});

describe('the commands of who manages what is published', () => {
  it('list what waits, and decide on it', async () => {
    expect(await lines('queue')).toEqual([
      { kind: 'flagged', node_id: 'image-tools', version: '1.2.0', at: expect.any(String), text: expect.any(String) },
    ]);
    expect((await heddle('queue')).out).toMatch(/^KIND +NODE .*\nflagged +image-tools +1\.2\.0 .* 1 finding\n$/);
    expect((await heddle('status', 'image-tools@1.2.0')).out).toMatch(/ 1 finding of the scan\n/);
    const decided = await line('review', 'image-tools@1.2.0', '--status', 'active', '--reason', 'its own file');
    const verdict = { node_id: 'image-tools', publisher: 'acme', version: '1.2.0', status: 'active' };
    expect(decided).toEqual({ ...verdict, reason: 'its own file' });
    expect(await lines('queue')).toEqual([]);
  });

  it('send the callbacks of a task again, if there is such a task', async () => {
    const { code, err } = await heddle('redeliver', '0b6b4f3c-2f43-4c0f-9a53-0a6f5d4f9b11');
    expect(code).toBe(1);
    expect(err).toContain('No task of a partner vendor has the id "0b6b4f3c-2f43-4c0f-9a53-0a6f5d4f9b11".');
    expect((await heddle('redeliver')).code).toBe(2);
  });

  it('install an active version, and no flagged one without --allow-flagged', async () => {
    await line('review', 'image-tools@1.2.0', '--status', 'flagged');
    const into = join(home, 'nodes');
    const refused = await heddle('install', 'image-tools@1.2.0', '--into', into);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--allow-flagged')]);
    const path = join(into, 'image-tools');
    const installed = {
      node_id: 'image-tools',
      version: '1.2.0',
      sha256: expect.any(String) as string,
      path,
      files: 2,
    };
    expect(await line('install', 'image-tools@1.2', '--into', into, '--allow-flagged')).toEqual(installed);
    expect(await readFile(join(path, '__init__.py'), 'utf8')).toBe(SOURCE);
    await line('review', 'image-tools@1.2.0', '--status', 'active');
    const again = await heddle('install', 'image-tools', '--into', into);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('is there and not empty')]);
    expect(again.err).toContain('--overwrite');
    await writeFile(join(path, 'of-the-old-version.py'), '');
    expect(await line('install', 'Image-Tools', '--into', into, '--overwrite')).toEqual(installed);
    expect((await readdir(path)).sort()).toEqual(['__init__.py', 'pyproject.toml']);
    expect(await readdir(into)).toEqual(['image-tools']);
    expect((await line('show', 'image-tools'))['downloads']).toBe(2);
  });

  it('ask for a review of a flagged version, and list versions and classes', async () => {
    await line('review', 'image-tools@1.2.0', '--status', 'flagged', '--reason', 'look twice');
    const message = ['--message', 'it prints its own text'];
    expect(await line('request-review', 'image-tools@1.2', ...message)).toEqual({});
    expect((await heddle('request-review', 'image-tools@1.2.0')).out).toBe(
      'a review of image-tools@1.2.0 is requested\n',
    );
    expect(await lines('queue')).toMatchObject([
      { kind: 'flagged' },
      { kind: 'review', text: 'it prints its own text' },
    ]);
    const version = { node_id: 'image-tools', version: '1.2.0', status_reason: 'look twice' };
    expect(await lines('versions', 'Image-Tools')).toMatchObject([version]);
    expect(await lines('versions', 'image-tools', '--status', 'active,banned')).toEqual([]);
    expect((await heddle('versions', 'image-tools')).out).toMatch(/^VERSION .*\n1\.2\.0 +flagged .* look twice\n$/);
    await line('review', 'image-tools@1.2.0', '--status', 'active');
    const asked = await heddle('request-review', 'image-tools@1.2.0');
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('already_set')]);
    expect(await lines('classes', 'image-tools@1.2.0')).toEqual([]);
    expect((await heddle('classes', 'image-tools@1.2.0')).err).toContain('has no node classes');
    expect(await heddle('classes', 'image-tools@9.0.0')).toMatchObject({ code: 1 });
  });

  it('find nodes, deprecate and restore versions', async () => {
    expect((await lines('search', 'image')).map(({ id }) => id)).toEqual(['image-tools']);
    expect((await heddle('search', 'nothing-like-it')).err).toContain('no nodes');
    const reason = ['--reason', 'use another'];
    expect(await line('deprecate', 'image-tools@1.2.0', ...reason)).toMatchObject({
      deprecated: true,
      deprecated_reason: 'use another',
    });
    expect(await line('deprecate', 'image-tools@1.2.0', '--undo')).toMatchObject({ deprecated: false });
  });

  it('list and revoke tokens', async () => {
    expect((await heddle('create-publisher', 'more', '--name', 'More')).out).toMatch(/^more\n.*\n {2}status +active\n/);
    const { id } = await line('create-token', 'acme', '--name', 'old');
    expect((await lines('tokens', 'acme')).map(({ name }) => name).sort()).toEqual(['CI', 'old']);
    expect((await heddle('tokens', 'acme')).out).not.toContain('hdr_');
    expect(await line('revoke-token', 'acme', String(id))).toEqual({ revoked: id });
    expect(await heddle('revoke-token', 'acme', 'unknown')).toMatchObject({
      code: 1,
      err: 'heddle: acme has no token unknown\n        heddle registry tokens acme lists them\n',
    });
  });

  it('ban and unban nodes and publishers, and print the events', async () => {
    const node = { node_id: 'image-tools', publisher: 'acme', version: '' };
    expect(await line('ban', 'image-tools', '--reason', 'why')).toEqual({ ...node, status: 'banned', reason: 'why' });
    expect((await heddle('show', 'image-tools')).err).toContain('node_banned');
    const again = await heddle('ban', 'image-tools', '--reason', 'second');
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('banned already, and its reason stays "why"')]);
    expect((await heddle('ban', 'image-tools', '--reason', 'why')).err).toBe('');
    expect(await line('unban', 'image-tools')).toMatchObject({ ...node, status: 'active' });
    const report = { method: 'POST', body: JSON.stringify({ reason: 'spam' }) };
    expect((await fetch(`${service.url}/registry/nodes/image-tools/reports`, report)).status).toBe(202);
    expect(await lines('queue')).toMatchObject([{ kind: 'report', node_id: 'image-tools', version: '' }]);
    expect(await line('ban', '--publisher', 'acme')).toMatchObject({
      ...{ node_id: '', publisher: 'acme', version: '' },
      status: 'banned',
    });
    expect(await line('unban', '--publisher', 'acme')).toMatchObject({ publisher: 'acme', status: 'active' });
    expect(await heddle('ban', 'nothing-here')).toMatchObject({ code: 1 });
    expect(await line('set', 'image-tools', '--search-ranking', '3', '--tags', 'verified')).toMatchObject(node);
    expect(await line('show', 'image-tools')).toMatchObject({ search_ranking: 3, tags_admin: ['verified'] });
    const events = await lines('events', 'image-tools');
    for (const type of ['NodeCreated', 'VersionPublished', 'VersionReviewed', 'NodeBanned', 'NodeUnbanned'])
      expect(events.map((event) => event['type'])).toContain(type);
    expect(Object.keys(events[0]!)).toEqual(['seq', 'type', 'at', 'actor', 'data']);
  });

  it('delete a version, release a node and offer it to be claimed', async () => {
    expect(await line('delete', 'image-tools@1.2.0')).toEqual({ deleted: 'image-tools@1.2.0' });
    expect(await line('release', 'image-tools')).toMatchObject({ publisher: 'unclaimed' });
    expect(await heddle('claim', 'image-tools', '--publisher', 'acme')).toMatchObject({ code: 1 });
  });

  it('delete a node, and once more', async () => {
    const other = await repositoryWith({ 'pyproject.toml': PYPROJECT.replaceAll('image-tools', 'other-tools') });
    more.push(other);
    expect((await heddle('check', other)).err).toContain(`next: heddle registry publish ${other}\n`);
    expect((await heddle('publish', other)).err).toContain('uploaded');
    for (const form of [1, 2]) expect([form, await line('delete', 'other-tools')]).toEqual([form, OTHER]);
    expect((await heddle('delete', 'other-tools')).out).toBe('other-tools is deleted\n');
    const unknown = await heddle('delete', 'never-there');
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no node never-there here')]);
    // That of another publisher: "unclaimed".
    expect(await heddle('delete', 'image-tools')).toMatchObject({ code: 1, out: '' });
  });
});
