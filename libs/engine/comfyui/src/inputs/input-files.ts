import type { EngineFile } from '@heddle/engine-port';
import type { EngineCalls } from '../calls/engine-calls.js';
import { InputRefused, inputViewPath, splitName } from './file-names.js';
import type { LocalInputFolder } from './local-input-folder.js';
import { uploadFile } from './upload-file.js';

const MAX_REMEMBERED = 10_000;

/** Delivers input files of runs to the engine's input folder: equal bytes once, nothing overwritten. */
export class InputFiles {
  readonly #calls: EngineCalls;
  readonly #folder: LocalInputFolder | null;
  /** Engine names by requested name; least recently used are evicted first. */
  readonly #there = new Map<string, string>();
  readonly #coming = new Map<string, Promise<string>>();
  readonly #inUse = new Map<string, number>();

  constructor(calls: EngineCalls, folder: LocalInputFolder | null) {
    this.#calls = calls;
    this.#folder = folder;
  }

  /**
   * Makes sure that the engine has every file; returns the names that differ from the requested ones. `release` must
   * follow.
   * @throws InputRefused, EngineCallError
   */
  async provide(files: readonly EngineFile[]): Promise<ReadonlyMap<string, string>> {
    for (const { name } of files) this.#inUse.set(name, (this.#inUse.get(name) ?? 0) + 1);
    const others = new Map<string, string>();
    for (const file of files) {
      const placed = await this.#placed(file);
      if (placed !== file.name) others.set(file.name, placed);
    }
    return others;
  }

  release(files: readonly EngineFile[]): void {
    for (const { name } of files) {
      const left = (this.#inUse.get(name) ?? 1) - 1;
      if (left > 0) this.#inUse.set(name, left);
      else this.#inUse.delete(name);
    }
  }

  /** The engine may be a different one now: look its files up again. */
  doubt(): void {
    this.#there.clear();
  }

  /** Removes files unused for long, if the folder is on this machine. */
  async sweep(): Promise<void> {
    if (this.#folder === null) return;
    for (const name of await this.#folder.sweep(new Set([...this.#inUse.keys(), ...this.#coming.keys()]))) {
      this.#there.delete(name);
    }
  }

  async #placed(file: EngineFile): Promise<string> {
    const known = this.#there.get(file.name);
    // With a local folder a lookup is free and keeps the file from being swept.
    if (known !== undefined && this.#folder === null) {
      this.#remember(file.name, known);
      return known;
    }
    const coming = this.#coming.get(file.name) ?? this.#bring(file);
    this.#coming.set(file.name, coming);
    try {
      const placed = await coming;
      this.#remember(file.name, placed);
      return placed;
    } finally {
      this.#coming.delete(file.name);
    }
  }

  async #bring(file: EngineFile): Promise<string> {
    const path = inputViewPath(splitName(file.name));
    if (this.#folder !== null) {
      await this.#folder.place(file);
      if (this.#there.has(file.name) || (await this.#shows(path, file))) return file.name;
      throw new InputRefused('the engine does not see the files of the configured input folder; is it the right one?');
    }
    return (await this.#shows(path, file)) ? file.name : uploadFile(this.#calls, file);
  }

  async #shows(path: string, file: EngineFile): Promise<boolean> {
    const { status, sizeBytes } = await this.#calls.head(path);
    return status === 200 && sizeBytes === file.sizeBytes;
  }

  #remember(name: string, placed: string): void {
    this.#there.delete(name);
    this.#there.set(name, placed);
    if (this.#there.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#there.keys()) {
      this.#there.delete(oldest);
      return;
    }
  }
}

/** The workflow with replaced file names; each occurs as a whole JSON string derived from a hash. */
export function withNames(workflow: Uint8Array, names: ReadonlyMap<string, string>): Uint8Array {
  if (names.size === 0) return workflow;
  let text = Buffer.from(workflow).toString('utf8');
  for (const [asked, placed] of names) text = text.replaceAll(JSON.stringify(asked), JSON.stringify(placed));
  return Buffer.from(text, 'utf8');
}
