import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { CliFailure, EXIT } from '../failure.js';
import { folderWith, PYPROJECT } from './package-folder.fixture.js';
import { readProject } from './read-project.js';
import type { Project } from './read-project.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function projectOf(text: string, files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const folder = await folderWith({ 'pyproject.toml': text, ...files });
  folders.push(folder);
  return await readProject(folder);
}

const MINIMAL = '[project]\nname = "pack"\nversion = "1.0.0"\n';

describe('pyproject.toml', () => {
  it('is read as publishers already have it', async () => {
    expect(await projectOf(`\ufeff${PYPROJECT}`)).toEqual({
      nodeId: 'image-tools',
      version: '1.2.0',
      publisher: 'acme',
      misspeltPublisher: null,
      toolTable: 'tool.comfy',
      name: 'Image Tools',
      description: 'Tools for images',
      license: '{"text":"MIT"}',
      repository: 'https://git.example/acme/image-tools',
      icon: 'https://acme.example/icon.png',
      banner: 'https://acme.example/banner.png',
      dependencies: ['numpy>=1.26'],
      includes: ['dist'],
      supportedOs: ['OS Independent'],
      supportedAccelerators: ['GPU :: NVIDIA CUDA'],
      engineVersion: '>=0.3.0',
      frontendVersion: '>=1.20.0',
    });
  });

  it('needs a name and a version alone', async () => {
    const project = await projectOf(MINIMAL);
    expect(project).toMatchObject({ nodeId: 'pack', version: '1.0.0', publisher: '', license: '', includes: [] });
  });

  it.each([
    ['"MIT"', '{"text":"MIT"}'],
    ['{ file = "LICENSE" }', '{"file":"LICENSE"}'],
    ['{}', ''],
  ])('with license = %s has %j', async (license, read) => {
    expect((await projectOf(`${MINIMAL}license = ${license}`)).license).toBe(read);
  });

  it('takes [tool.heddle] before [tool.comfy]', async () => {
    const text = `${MINIMAL}[tool.comfy]\nPublisherId = "one"\n[tool.heddle]\nPublisherId = "two"`;
    expect((await projectOf(text)).publisher).toBe('two');
  });

  it.each([
    '__version__ = "2.1.0"',
    "import os\nVERSION: str = '2.1.0'  # of the release\n",
    '# __version__ = "0.0.1"\n__version__="v2.1"',
  ])('takes a dynamic version of the file that it names: %j', async (source) => {
    const text = '[project]\nname = "pack"\ndynamic = ["version"]\n[tool.comfy.version]\npath = "pack/_version.py"';
    expect((await projectOf(text, { 'pack/_version.py': source })).version).toBe('2.1.0');
  });

  const dynamic = '[project]\nname = "pack"\ndynamic = ["version"]\n';
  it.each([
    ['[project]\nname = "pack"\nversion = "1.0', /pyproject\.toml:3:\d+: /],
    ['name = "pack"', /project is missing/],
    ['project = "pack"', /project must be a table/],
    ['[project]\nversion = "1.0.0"', /project\.name is missing/],
    ['[project]\nname = "_pack"\nversion = "1.0.0"', /project\.name "_pack" is not the id of a node/],
    ['[project]\nname = "pack"', /project\.version is missing/],
    ['[project]\nname = "pack"\nversion = ""', /project\.version is empty/],
    ['[project]\nname = "pack"\nversion = 1.0', /project\.version must be a string in quotes/],
    ['[project]\nname = "pack"\nversion = "1.0.0+cu12"', /project\.version "1\.0\.0\+cu12" is not a version/],
    [`${MINIMAL}dependencies = "numpy"`, /project\.dependencies must be a list of strings/],
    [`${MINIMAL}[tool.comfy]\nPublisherId = "A B"`, /tool\.comfy\.PublisherId "A B" is not the id of a publisher/],
    [`${MINIMAL}[tool.comfy]\nIcon = "javascript:x"`, /tool\.comfy\.Icon must be an http or https URL/],
    [
      `${MINIMAL}[tool.heddle]\nBanner = "https://u:p@e.example/"`,
      /tool\.heddle\.Banner must be .* without a user name/,
    ],
    [`${MINIMAL}[project.urls]\nRepository = "foo"`, /project\.urls\.Repository must be an http or https URL/],
    [dynamic, /tool\.comfy\.version\.path is missing/],
    [`${dynamic}[tool.comfy.version]\npath = "../v.py"`, /leads out of the folder/],
    [`${dynamic}[tool.comfy.version]\npath = "v.py"`, /names .*v\.py, which cannot be read: the file does not exist/],
    [`${dynamic}[tool.comfy.version]\npath = "pyproject.toml"`, /pyproject\.toml assigns no version/],
  ])('%j is wrong usage that names the place', async (text, message) => {
    const failure = await projectOf(text).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CliFailure);
    expect(failure).toMatchObject({ exitCode: EXIT.usage, message: expect.stringMatching(message) as string });
  });

  const of = (length: number): string => '\u{1f600}'.repeat(length);
  const lists = (lengths: readonly number[]): string => JSON.stringify(lengths.map(of));
  const table = (name: string): string => `${MINIMAL}[tool.comfy]\n${name} = `;
  it.each<[string, string, string, string]>([
    [
      'description',
      `${MINIMAL}description = "${of(1_000)}"`,
      `${MINIMAL}description = "${of(1_001)}"`,
      'a string of at most 1000 characters',
    ],
    [
      'DisplayName',
      `${table('DisplayName')}"${of(200)}"`,
      `${table('DisplayName')}"${of(201)}"`,
      'a string of at most 200 characters',
    ],
    [
      'requires-comfyui',
      `${table('requires-comfyui')}"${of(1_000)}"`,
      `${table('requires-comfyui')}"${of(1_001)}"`,
      'a string of at most 1000 characters',
    ],
    [
      'license',
      `${MINIMAL}license = "${of(1_989)}"`,
      `${MINIMAL}license = "${of(1_990)}"`,
      'a string of at most 2000 characters as JSON',
    ],
    [
      'dependencies',
      `${MINIMAL}dependencies = ${lists([512, 1])}`,
      `${MINIMAL}dependencies = ${lists([1, 513])}`,
      'a list of at most 500 strings of at most 512 characters',
    ],
    [
      'dependencies',
      `${MINIMAL}dependencies = ${lists(Array<number>(500).fill(1))}`,
      `${MINIMAL}dependencies = ${lists(Array<number>(501).fill(1))}`,
      'a list of at most 500 strings of at most 512 characters',
    ],
  ])('has a %s as long as the registry takes', async (field, longest, longer, rule) => {
    await projectOf(longest);
    await expect(projectOf(longer)).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringMatching(new RegExp(`pyproject\\.toml: [a-z.]*${field} must be ${rule}$`)) as string,
    });
  });

  it.each(['search', 'Search'])('has no name that is the path of a route: %s', async (name) => {
    await expect(projectOf(`[project]\nname = "${name}"\nversion = "1.0.0"`)).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining(`project.name "${name}" is a reserved node id`) as string,
    });
  });

  it.each(['1234567890.0.0', '01.0.0', '1.0.0+b'])(
    'with version %s is refused with the rule of versions',
    async (version) => {
      await expect(projectOf(`[project]\nname = "pack"\nversion = "${version}"`)).rejects.toMatchObject({
        nextStep: expect.stringMatching(/at most 9 digits without leading zeros, and no "\+build"/) as string,
      });
    },
  );

  it('is missed with a next step', async () => {
    const folder = await folderWith({});
    folders.push(folder);
    await expect(readProject(folder)).rejects.toMatchObject({
      message: `${folder} has no pyproject.toml`,
      nextStep: expect.stringContaining('folder of the package') as string,
    });
  });
});
