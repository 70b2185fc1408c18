import { parentPort } from 'node:worker_threads';
import type { KeyPath } from './key-path.js';
import { writeWholeFile } from './whole-file.js';

/** A file for a thread to write. */
export interface WholeFile {
  readonly path: KeyPath;
  readonly bytes: Uint8Array;
}

/** What became of it. An error's `code` does not travel with it by itself. */
export type Written = { readonly ok: true } | { readonly ok: false; readonly code: string; readonly message: string };

parentPort?.on('message', ({ path, bytes }: WholeFile) => {
  let written: Written = { ok: true };
  try {
    writeWholeFile(path, bytes);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    written = { ok: false, code, message };
  }
  parentPort?.postMessage(written);
});
