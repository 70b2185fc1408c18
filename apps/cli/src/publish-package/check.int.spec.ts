import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { git, repositoryWith } from './package-folder.fixture.js';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function checked(tables: string, ...words: string[]) {
  const project = `[project]\nname = "pack"\nversion = "1.0.0"\n${tables}`;
  const folder = await repositoryWith({ 'pyproject.toml': project, '__init__.py': 'NODE_CLASS_MAPPINGS = {}\n' });
  folders.push(folder);
  git(folder, '-c', 'user.name=acme', '-c', 'user.email=a@acme.example', 'commit', '-m', 'first');
  return { folder, ...(await heddleInProcess(['registry', 'check', folder, ...words])) };
}

describe('heddle registry check', () => {
  it('ends with the next step where publish would take the package', async () => {
    const { code, err, folder } = await checked('[tool.heddle]\nPublisherId = "acme"\n');
    expect({ code, err }).toEqual({ code: 0, err: `next: heddle registry publish ${folder}\n` });
  });

  it.each([
    ['', 'tool.heddle'],
    ['[tool.heddle]\nDisplayName = "Pack"\n', 'tool.heddle'],
    ['[tool.comfy]\nDisplayName = "Pack"\n', 'tool.comfy'],
  ])('reports a missing publisher as publish does: %j', async (tables, table) => {
    const { code, out, err, folder } = await checked(tables);
    expect(out).toContain('pack@1.0.0: 2 files');
    expect({ code, err }).toEqual({
      code: 2,
      err:
        `heddle: ${folder}/pyproject.toml names no publisher\n` +
        `        add PublisherId = "YOUR-PUBLISHER" below [${table}]; heddle registry create-publisher makes one\n`,
    });
  });

  it('names a misspelt key', async () => {
    const { code, err, folder } = await checked('[tool.heddle]\nPubliserId = "acme"\n');
    expect({ code, err }).toEqual({
      code: 2,
      err:
        `heddle: ${folder}/pyproject.toml names no publisher: tool.heddle.PubliserId has no meaning\n` +
        '        did you mean PublisherId?\n',
    });
  });

  it('distinguishes a folder that does not exist from one without pyproject.toml', async () => {
    const { code, err } = await heddleInProcess(['registry', 'check', '/nowhere/nope']);
    expect({ code, err }).toEqual({ code: 2, err: 'heddle: /nowhere/nope does not exist\n' });
  });
});
