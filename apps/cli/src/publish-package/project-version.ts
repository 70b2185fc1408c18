import { readFile } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { wrongUsage } from '../failure.js';
import { fileErrorText } from '../file-error.js';
import type { TomlTable } from './toml-table.js';

/** `__version__ = "1.2.0"` or `VERSION: str = '1.2.0'` at the start of a line. */
const ASSIGNMENT = /^(?:__version__|VERSION)[ \t]*(?::[^=\n]+)?=[ \t]*(?:"([^"\\\n]*)"|'([^'\\\n]*)')/m;
const STEP = 'set it, or list "version" in project.dynamic and name the file in tool.comfy.version.path';

/** The version: as it is written, or of the file that a dynamic one names. The file is read, never run. */
export async function projectVersion(folder: string, project: TomlTable, tool: TomlTable): Promise<string> {
  const written = project.text('version');
  if (written !== '') return written;
  if (!project.texts('dynamic').includes('version'))
    throw project.wrong('version', project.has('version') ? 'is empty' : 'is missing', STEP);
  const named = tool.table('version');
  const path = named.text('path');
  if (path === '') throw named.wrong('path', 'is missing', 'it names the file that assigns __version__');
  if (isAbsolute(path) || normalize(path).split(/[/\\]/)[0] === '..')
    throw named.wrong('path', `"${path}" leads out of the folder of the package`);
  const file = join(folder, path);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw named.wrong('path', `names ${file}, which cannot be read: ${fileErrorText(error) ?? String(error)}`);
  }
  const [, double, single] = ASSIGNMENT.exec(text) ?? [];
  const found = (double ?? single ?? '').trim();
  if (found === '') throw wrongUsage(`${file} assigns no version`, 'e.g. __version__ = "1.2.0" in a line of its own');
  return found;
}
