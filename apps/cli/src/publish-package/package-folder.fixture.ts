import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by path in a new folder. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-package-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

export function git(folder: string, ...words: readonly string[]): void {
  execFileSync('git', ['-C', folder, '-c', 'init.defaultBranch=main', ...words], { stdio: 'ignore' });
}

/** The same, as a git repository that tracks them. */
export async function repositoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await folderWith(files);
  git(folder, 'init');
  git(folder, 'add', '.');
  return folder;
}

export const PYPROJECT = `
[project]
name = "image-tools"
version = "1.2"
description = "Tools for images"
license = { text = "MIT" }
dependencies = ["numpy>=1.26", "comfyui-frontend-package>=1.20.0"]
classifiers = ["Operating System :: OS Independent", "Environment :: GPU :: NVIDIA CUDA", "Environment :: Console"]
[project.urls]
Repository = "https://git.example/acme/image-tools"
[tool.comfy]
PublisherId = "acme"
DisplayName = "Image Tools"
Icon = "https://acme.example/icon.png"
Banner = "https://acme.example/banner.png"
includes = ["dist"]
requires-comfyui = ">=0.3.0"
`;
