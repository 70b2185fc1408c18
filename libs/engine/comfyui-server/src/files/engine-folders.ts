import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

const FOLDER_TYPES = ['input', 'output', 'temp'] as const;
export type FolderType = (typeof FOLDER_TYPES)[number];

/** The engine's three folders, as absolute paths. */
type FolderPaths = Readonly<Record<FolderType, string>>;

/** Finds files in the engine's folders, never outside them: neither by name nor through a symbolic link. */
export class ServedFolders {
  private constructor(private readonly paths: FolderPaths) {}

  /** Creates the missing folders `input`, `output` and `temp` below `root`. */
  static async at(root: string): Promise<ServedFolders> {
    const base = resolve(root);
    const of = async (type: FolderType): Promise<string> => {
      await mkdir(join(base, type), { recursive: true, mode: 0o700 });
      return realpath(join(base, type));
    };
    return new ServedFolders({ input: await of('input'), output: await of('output'), temp: await of('temp') });
  }

  path(type: FolderType): string {
    return this.paths[type];
  }

  /** The path of a file that may not exist yet; null if the name leads out of its folder. */
  async locate(type: FolderType, subfolder: string, name: string): Promise<string | null> {
    const root = this.paths[type];
    const path = resolve(root, subfolder, name);
    if (path.includes('\0') || path === root || !isWithin(root, path)) return null;
    const parent = await existingParent(dirname(path));
    return isWithin(root, parent) || parent === root ? path : null;
  }
}

export function isFolderType(text: string): text is FolderType {
  return (FOLDER_TYPES as readonly string[]).includes(text);
}

/** Splits the folder annotation from a name: `a.png [temp]`. */
export function splitAnnotation(name: string): { name: string; type: FolderType | null } {
  for (const type of FOLDER_TYPES) {
    const ending = ` [${type}]`;
    if (name.endsWith(`[${type}]`)) return { name: name.slice(0, -ending.length), type };
  }
  return { name, type: null };
}

/** The last segment of a path with any separators. */
export function lastPart(name: string): string {
  return basename(name);
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith('../');
}

/** The real path of the nearest existing folder. */
async function existingParent(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return await realpath(at);
    } catch {
      if (at === dirname(at)) return at;
    }
  }
}

/** True if the name stays below its folder. */
export function isSafeRelative(name: string): boolean {
  return name !== '' && !name.includes('\0') && isWithin('/root', resolve('/root', name));
}
