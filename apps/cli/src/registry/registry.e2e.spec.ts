import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle } from '../heddle-process.fixture.js';
import type { Ended } from '../heddle-process.fixture.js';
import { git, PYPROJECT, repositoryWith } from '../publish-package/package-folder.fixture.js';

const CLASSES = `
class Tint:
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",)}}
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"
    CATEGORY = "tools"

NODE_CLASS_MAPPINGS = {"ToolsTint": Tint}
`;
const DECODED = `${CLASSES}\nimport base64\nexec(base64.b64decode("cHJpbnQoMSk="))\n`;

let service: Standalone;
let home: string;
let folder: string;
const more: string[] = [];
const heddle = async (...words: string[]): Promise<Ended> =>
  await runHeddle(['registry', ...words], { HEDDLE_URL: service.url, HOME: home, XDG_CONFIG_HOME: '' });
const line = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { code, lines, err } = await heddle(...words, '--json');
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  return lines()[0]!;
};
const packageWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const made = await repositoryWith(files);
  more.push(made);
  return made;
};
const pyproject = (version: string, id = 'image-tools'): string =>
  PYPROJECT.replace('"1.2"', `"${version}"`).replace('"image-tools"', `"${id}"`).replace('/image-tools"', `/${id}"`);

beforeAll(async () => {
  service = await startStandalone();
  home = await mkdtemp(join(tmpdir(), 'heddle-home-'));
  folder = await repositoryWith({ 'pyproject.toml': pyproject('1.2.0'), '__init__.py': CLASSES });
});

afterAll(async () => {
  await service.stop();
  for (const made of [home, folder, ...more]) await rm(made, { recursive: true, force: true });
});

describe('heddle registry', () => {
  it('goes from nothing to a published version', async () => {
    const publisher = await line('create-publisher', 'acme', '--name', 'Acme Imaging');
    expect(publisher).toMatchObject({ id: 'acme', name: 'Acme Imaging', status: 'PublisherStatusActive' });

    const unknown = await heddle('publish', folder);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('heddle registry create-token acme')]);

    const made = await line('create-token', 'acme', '--name', 'CI', '--expires-in', '3600', '--nodes', 'image-tools');
    expect(made).toMatchObject({ name: 'CI', nodes: ['image-tools'], actions: ['publish', 'deprecate'] });
    const login = await runHeddle(['registry', 'login', 'acme'], {
      ...{ HEDDLE_URL: service.url, HOME: home, XDG_CONFIG_HOME: '', HEDDLE_REGISTRY_TOKEN: String(made['token']) },
    });
    expect(login.code).toBe(0);

    const checked = await line('check', folder);
    expect(checked).toMatchObject({ node_id: 'image-tools', version: '1.2.0', files: 2, wf_nodes: ['ToolsTint'] });
    const version = await line('publish', folder);
    expect(version).toMatchObject({
      node_id: 'image-tools',
      version: '1.2.0',
      status: 'NodeVersionStatusActive',
      size_bytes: checked['size_bytes'],
      dependencies: ['numpy>=1.26'],
      supported_os: ['OS Independent'],
      supported_engine_version: '>=0.3.0',
    });
    expect(await line('status', 'image-tools@1.2')).toMatchObject({ id: version['id'], sha256: version['sha256'] });
    expect(await line('show', 'image-tools@1.2.0')).toMatchObject({ id: version['id'] });
    expect(await line('show', 'Image-Tools')).toMatchObject({
      ...{ id: 'image-tools', name: 'Image Tools', license: '{"text":"MIT"}' },
      repository: 'https://git.example/acme/image-tools',
    });
    const { input_types: inputs, ...tint } = await line('classes', 'image-tools@1.2');
    expect(tint).toMatchObject({ wf_node_name: 'ToolsTint', node_id: 'image-tools', node_version: '1.2.0' });
    expect(JSON.parse(String(inputs))).toEqual({ required: { image: ['IMAGE'] } });
    const classes = (await heddle('classes', 'image-tools@1.2.0')).out;
    expect(classes).toMatch(/^CLASS .*\nToolsTint +tools +\["IMAGE"\]/);
    expect(await line('versions', 'image-tools')).toMatchObject({ id: version['id'], version: '1.2.0' });
    const shown = await heddle('show', 'image-tools');
    expect(shown.out).toMatch(/^image-tools\n {2}name +Image Tools\n {2}publisher +acme\n {2}status +active\n/);
  });

  it('publishes a version once', async () => {
    const { code, err } = await heddle('publish', folder);
    expect([code, err]).toEqual([1, expect.stringContaining('raise the version in pyproject.toml')]);
  });

  it('publishes a package with a blocking finding by --force alone, and exits with 1', async () => {
    const bad = await packageWith({ 'pyproject.toml': pyproject('1.3.0'), '__init__.py': DECODED });
    const checked = await heddle('check', bad, '--json');
    expect(checked.code).toBe(1);
    const finding = { issue_type: 'decoded-exec', severity: 'block', file_path: '__init__.py' };
    expect(checked.lines()).toEqual([
      expect.objectContaining({ findings: [expect.objectContaining(finding)], wf_nodes: ['ToolsTint'] }),
    ]);
    const refused = await heddle('publish', bad);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('nothing was published')]);
    expect(refused.err).toMatch(/block __init__\.py:\d+ decoded-exec: /);
    const forced = await heddle('publish', bad, '--force', '--json');
    expect(forced.code).toBe(1);
    expect(forced.lines()).toEqual([expect.objectContaining({ status: 'NodeVersionStatusFlagged' })]);
    const status = await heddle('status', 'image-tools@1.3.0');
    expect([status.code, status.err]).toEqual([0, expect.stringMatching(/block __init__\.py:\d+ decoded-exec: /)]);

    await writeFile(join(bad, '__init__.py'), CLASSES);
    await writeFile(join(bad, 'pyproject.toml'), pyproject('1.3.1'));
    expect((await heddle('publish', bad)).code).toBe(0);
  });

  it('answers a missing token and the token of another publisher alike, with a next step', async () => {
    await line('create-publisher', 'other', '--name', 'Other');
    const other = await line('create-token', 'other', '--name', 'CI');
    for (const token of [String(other['token']), 'hdr_wrong']) {
      const env = { HEDDLE_URL: service.url, HOME: home, HEDDLE_REGISTRY_TOKEN: token };
      const { code, err } = await runHeddle(['registry', 'publish', folder], env);
      expect([code, err]).toEqual([1, expect.stringContaining('PublisherId is acme')]);
      expect(err).not.toContain(token);
    }
  });

  it('names the node that has nearly the same id', async () => {
    const twin = await packageWith({ 'pyproject.toml': pyproject('1.0.0', 'image_to0ls'), '__init__.py': CLASSES });
    const token = String((await line('create-token', 'acme', '--name', 'all'))['token']);
    const env = { HEDDLE_URL: service.url, HOME: home, HEDDLE_REGISTRY_TOKEN: token };
    const { code, lines } = await runHeddle(['registry', 'publish', twin, '--json'], env);
    expect(code).toBe(1);
    expect(lines()).toEqual([
      { event: 'error', error: expect.objectContaining({ code: 'name_too_similar' }) as Record<string, unknown> },
    ]);
    expect(lines()[0]).toMatchObject({ error: { message: expect.stringContaining('image-tools') as string } });
  });

  it.each([
    ['a publisher that is taken', 1, ['create-publisher', 'acme', '--name', 'Acme'], 'publisher_exists'],
    ['a publisher that cannot be', 2, ['create-publisher', 'A', '--name', 'Acme'], 'is not the id of a publisher'],
    ['a publisher without a name', 2, ['create-publisher', 'beta'], '--name is missing'],
    ['a token of an unknown publisher', 1, ['create-token', 'nobody', '--name', 'CI'], 'nobody'],
    ['a life that cannot be', 2, ['create-token', 'acme', '--name', 'CI', '--expires-in', '5'], 'from 60 to'],
    ['a version that is not there', 1, ['status', 'image-tools@9.0.0'], 'version image-tools@9.0.0 does not exist'],
    ['a node that is not there', 1, ['show', 'nothing-here'], 'no node nothing-here here'],
    ['a folder without pyproject.toml', 2, ['publish', '/'], '/ has no pyproject.toml'],
  ])('refuses %s with exit %i', async (_, code, words, text) => {
    const refused = await heddle(...words);
    expect([refused.code, refused.out]).toEqual([code, '']);
    expect(refused.err).toContain(text);
  });

  it('says where it looked for the registry, with exit 3', async () => {
    const { code, err } = await heddle('show', 'image-tools', '--registry', 'http://127.0.0.1:9/registry');
    expect([code, err]).toEqual([3, expect.stringContaining('the registry at http://127.0.0.1:9/registry cannot be')]);
    expect(err).toContain('--registry or HEDDLE_REGISTRY_URL');
  });

  it('needs a PublisherId, and a git repository', async () => {
    const bare = await packageWith({
      'pyproject.toml': '[project]\nname = "pack"\nversion = "1.0.0"',
      '__init__.py': CLASSES,
    });
    const { code, err } = await heddle('publish', bare);
    expect([code, err]).toEqual([2, expect.stringContaining('add PublisherId')]);
    git(bare, 'rm', '-r', '--cached', '.');
    expect(await heddle('check', bare)).toMatchObject({ code: 2 });
  });
});
