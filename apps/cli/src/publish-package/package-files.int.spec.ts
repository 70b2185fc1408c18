import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, git, repositoryWith } from './package-folder.fixture.js';
import { selectFiles } from './package-files.js';

const folders: string[] = [];
const kept = (folder: string): string => {
  folders.push(folder);
  return folder;
};
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const paths = async (folder: string, includes: readonly string[] = []): Promise<string[]> =>
  (await selectFiles(folder, includes)).files.map(({ path }) => path);

function commit(folder: string): void {
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@a.example', 'commit', '-m', 'a');
}

describe('the files of a package', () => {
  it('are those that git tracks, less what .comfyignore matches', async () => {
    const folder = kept(
      await repositoryWith({
        '.comfyignore': '# not shipped\ntests/\n*.psd\n/notes.md\n!keep.psd\n',
        '__init__.py': '',
        'tests/test_it.py': '',
        'web/tests/x.js': '',
        'art/big.psd': '',
        'art/keep.psd': '',
        'notes.md': '',
        'docs/notes.md': '',
        'a file.py': '',
      }),
    );
    await writeFile(join(folder, '.env'), 'SECRET=1');
    expect(await paths(folder)).toEqual([
      ...['.comfyignore', '__init__.py', 'a file.py', 'art/keep.psd', 'docs/notes.md'],
    ]);
  });

  it('below a folder of a repository are relative to it, as the patterns of its .comfyignore are', async () => {
    const folder = kept(
      await repositoryWith({
        'outside.py': '',
        'pack/.comfyignore': '/drop.py\n',
        'pack/drop.py': '',
        'pack/sub/drop.py': '',
        'pack/__init__.py': '',
      }),
    );
    expect(await paths(join(folder, 'pack'))).toEqual(['.comfyignore', '__init__.py', 'sub/drop.py']);
  });

  it('have what includes name, although git or .comfyignore leave it out', async () => {
    const folder = kept(
      await repositoryWith({ '.gitignore': 'dist\n', '.comfyignore': 'web/\n', '__init__.py': '', 'web/a.js': '' }),
    );
    await mkdir(join(folder, 'dist/deep'), { recursive: true });
    await writeFile(join(folder, 'dist/deep/bundle.js'), '');
    await writeFile(join(folder, 'dist[1].js'), '');
    expect(await paths(folder, ['/dist/', 'web'])).toEqual([
      ...['.comfyignore', '.gitignore', '__init__.py', 'dist/deep/bundle.js', 'web/a.js'],
    ]);
    const { warnings } = await selectFiles(folder, ['build']);
    expect(warnings).toEqual([
      'includes names build, which holds no file',
      'nothing is committed yet: the files are packed as they are',
      'git does not track dist[1].js: not packed',
    ]);
    await expect(selectFiles(folder, ['../elsewhere'])).rejects.toThrow('leads out of the folder');
  });

  it('have no link that leads out of the folder, no submodule, and nothing that is gone', async () => {
    const secret = kept(await folderWith({ 'secret.txt': 'x' }));
    const inner = kept(await repositoryWith({ 'a.py': '' }));
    commit(inner);
    const folder = kept(await repositoryWith({ '__init__.py': '', 'gone.py': '', 'real.py': '' }));
    await symlink(join(secret, 'secret.txt'), join(folder, 'outside.txt'));
    await symlink('real.py', join(folder, 'inside.py'));
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', inner, 'vendored');
    git(folder, 'add', '.');
    await rm(join(folder, 'gone.py'));
    const { files, warnings } = await selectFiles(folder, []);
    expect(files.map(({ path }) => path)).toEqual(['.gitmodules', '__init__.py', 'inside.py', 'real.py']);
    expect(warnings).toEqual([
      'gone.py is left out: it is not there any more',
      'outside.txt is left out: it is a link that leads out of the folder',
      'vendored is left out: it is a submodule, another repository or a link to a folder',
      'nothing is committed yet: the files are packed as they are',
    ]);
    commit(folder);
    await writeFile(join(folder, 'real.py'), 'x = 1\n');
    expect((await selectFiles(folder, [])).warnings.at(-1)).toBe(
      'gone.py, real.py: not as in the last commit, and packed as it is',
    );
  });

  it('are not guessed outside a git repository, or if no file is tracked', async () => {
    const folder = kept(await folderWith({ '__init__.py': '' }));
    await expect(selectFiles(folder, [])).rejects.toMatchObject({
      exitCode: 2,
      message: `${folder} is not in a git repository: a package has the files that git tracks`,
    });
    git(folder, 'init');
    await expect(selectFiles(folder, [])).rejects.toThrow('git tracks no files');
  });
});
