import type { PackageFiles } from '../package-files.js';
import type { PackageBounds } from './archive-bounds.js';
import { shown } from './archive-problem.js';
import { decodeText } from './decode-text.js';

/** Takes the text of a file that extraction does not read; `path` as the archive spells it. */
export type OtherText = (path: string, text: string) => void;

const ROOT_FILES = ['pyproject.toml', 'node_list.json'];

/**
 * Takes the files of an archive in their order, and keeps the text of those that extraction reads. Text of others is looked at
 * once, up to the same bounds, and not kept.
 */
export class PackageCollector {
  readonly #contents = new Map<string, Buffer>();
  readonly #paths: string[] = [];
  readonly #unread: string[] = [];
  readonly #damage: { path: string; problem: string }[] = [];
  #bytes = 0;
  #pythonFiles = 0;
  #otherBytes = 0;

  constructor(
    private readonly bounds: PackageBounds,
    private readonly lookAt: OtherText,
  ) {}

  /** Notes a file of the archive. True if its content is to be added. */
  wants(path: string, size: number): boolean {
    this.#paths.push(path);
    const isPython = /\.py$/i.test(path);
    if (!isPython && !mayBeRoot(path)) {
      if (size > this.bounds.fileBytes || this.#otherBytes + size > this.bounds.totalBytes) return false;
      this.#otherBytes += size;
      return true;
    }
    if (
      size > this.bounds.fileBytes ||
      this.#bytes + size > this.bounds.totalBytes ||
      (isPython && this.#pythonFiles >= this.bounds.files)
    ) {
      this.#unread.push(path);
      return false;
    }
    this.#bytes += size;
    if (isPython) this.#pythonFiles += 1;
    return true;
  }

  add(path: string, content: Buffer): void {
    if (/\.py$/i.test(path) || mayBeRoot(path)) this.#contents.set(path, content);
    // What holds NUL is not text.
    else if (!content.includes(0)) this.lookAt(path, decodeText(content).text);
  }

  damaged(path: string, problem: string): void {
    this.#damage.push({ path, problem });
  }

  files(): PackageFiles {
    const top = topFolder(this.#paths);
    const inside = (path: string): string => path.slice(top.length);
    const texts = new Map<string, string>();
    for (const [path, content] of this.#contents) {
      const name = inside(path);
      const { text } = decodeText(content);
      if (/\.py$/i.test(name) || ROOT_FILES.includes(name)) texts.set(name, text);
      else this.lookAt(path, text);
    }
    return {
      texts,
      paths: this.#paths,
      ...(top === '' ? {} : { top }),
      ...(this.#unread.length === 0 ? {} : { cut: this.#cut(), unread: this.#unread.map(inside) }),
      damage: this.#damage,
    };
  }

  #cut(): string {
    const { fileBytes, files, totalBytes } = this.bounds;
    const count = this.#unread.length;
    return (
      `${count} ${count === 1 ? 'file was' : 'files were'} not read, the first of them ${shown(this.#unread[0] ?? '')}. ` +
      `At most ${files} Python files of ${fileBytes} bytes each and ${totalBytes} bytes in all are read.`
    );
  }
}

/** Whether there is a top folder is known only after the last file. */
function mayBeRoot(path: string): boolean {
  return path.split('/').length <= 2 && ROOT_FILES.includes(path.slice(path.lastIndexOf('/') + 1));
}

/** The folder with its slash that all files lie in; empty where there is none. */
function topFolder(paths: readonly string[]): string {
  const top = paths[0]?.slice(0, paths[0].indexOf('/') + 1) ?? '';
  return paths.every((path) => path.startsWith(top)) ? top : '';
}
