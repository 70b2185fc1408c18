/** What a name of a module is to the files that import it. */
export interface ExportedName {
  /** What it stands for, as `exec`; "" if that does not matter. */
  readonly stands: string;
  /** Holds decoded data, or is a function that decodes. */
  readonly isDecoded: boolean;
  /** A function that runs what it is given. */
  readonly runs: boolean;
}

/** What a module gives to others. */
export interface ExportedNames {
  readonly names: ReadonlyMap<string, ExportedName>;
  /** Names that it imports itself, with their full names. */
  readonly imports: ReadonlyMap<string, string>;
  /** Modules of which it imports all names. */
  readonly stars: readonly string[];
}

/** The names of other files, as one file imports them. */
export type ImportedNames = (fullName: string) => ExportedName | undefined;

/** Imports of imports that are followed. */
const MAX_HOPS = 4;
const MAX_STAR_HOPS = 1;

/** The names that matter to the scan in the modules of a package. */
export class PackageNames {
  readonly #modules = new Map<string, ExportedNames & { readonly folder: readonly string[] }>();

  add(path: string, names: ExportedNames): void {
    this.#modules.set(moduleOf(path).join('.'), { ...names, folder: folderOf(path) });
  }

  /** For the file of a path. Full names are relative, as `..tools.run`. */
  seenFrom(path: string): ImportedNames {
    const folder = folderOf(path);
    return (fullName) => (fullName.startsWith('.') ? this.#find(folder, fullName, 0) : undefined);
  }

  #find(folder: readonly string[], fullName: string, hops: number): ExportedName | undefined {
    const [, dots = '', rest = ''] = /^(\.+)(.*)$/.exec(fullName) ?? [];
    if (dots === '' || dots.length - 1 > folder.length || hops > MAX_HOPS) return undefined;
    const parts = [...folder.slice(0, folder.length - dots.length + 1), ...rest.split('.')];
    const name = parts.pop()!;
    const module = this.#modules.get(parts.join('.'));
    if (module === undefined) return undefined;
    const own = module.names.get(name);
    if (own !== undefined) return own;
    const imported = module.imports.get(name);
    if (imported !== undefined) return this.#find(module.folder, imported, hops + 1);
    // Each of eight modules of eight: deeper, one name would ask thousands.
    for (const star of hops < MAX_STAR_HOPS ? module.stars : []) {
      const found = this.#find(module.folder, memberOf(star, name), hops + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The full name of what a module has: `.tools.run` of `.tools`, `.run` of `.`. */
export function memberOf(module: string, name: string): string {
  return module.endsWith('.') ? module + name : `${module}.${name}`;
}

function moduleOf(path: string): string[] {
  const parts = path.replace(/\.py$/i, '').split('/');
  return parts.at(-1) === '__init__' ? parts.slice(0, -1) : parts;
}

/** The package that a dot means in a file. */
function folderOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}
