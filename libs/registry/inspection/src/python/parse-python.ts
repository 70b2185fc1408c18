import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, Parser, type Tree } from 'web-tree-sitter';

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
/** Node's types leave it out. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
  readonly RuntimeError: new () => Error;
};

/** Pages of 64 KiB. A mapping of 100,000 entries in 1 MiB takes 115 MiB; the worst 1 MiB that was found, 290. */
const PAGES = { initial: 512, maximum: 3072 };
/** A parse that lets the memory grow above it is cancelled: at the maximum, the parser aborts and is of no use any more. */
const MAX_BYTES = 144 * 1024 * 1024;

const require = createRequire(import.meta.url);

let loading: Promise<Language> | undefined;
let memory: WasmMemory | undefined;
let broken = false;

/** Whether the parser of this thread has aborted, for want of memory: it reads nothing any more. */
export const isParserBroken = (): boolean => broken;

/** A parser of Python. The first call loads the WebAssembly of the parser and of the grammar; `delete()` frees the parser. */
export async function loadPython(): Promise<Parser> {
  const language = await (loading ??= loadLanguage());
  return new Parser().setLanguage(language);
}

/**
 * The syntax tree of a Python text, also where the text has syntax errors. Its indices count UTF-16 code units of `text`.
 * `undefined` if `isOver` says so first, or if the tree takes too much memory. The caller frees the tree with `delete()`.
 */
export function parsePython(parser: Parser, text: string, isOver = (): boolean => false): Tree | undefined {
  if (broken) return undefined;
  const bytes = (): number => memory?.buffer.byteLength ?? 0;
  // WebAssembly memory never shrinks: an earlier text may have let it grow.
  const maxBytes = Math.max(MAX_BYTES, bytes());
  const progressCallback = (): boolean => isOver() || bytes() > maxBytes;
  try {
    const tree = parser.parse(text, null, { progressCallback });
    // Otherwise the next text would continue the parse that was cancelled.
    if (tree === null) parser.reset();
    return tree ?? undefined;
  } catch (error) {
    broken = error instanceof WebAssembly.RuntimeError;
    if (broken) return undefined;
    throw error;
  }
}

async function loadLanguage(): Promise<Language> {
  // From bytes, because a bundle does not lie beside the packages' files.
  const wasmBinary = await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
  memory = new WebAssembly.Memory(PAGES);
  await Parser.init({ wasmBinary, wasmMemory: memory, printErr: () => undefined });
  return Language.load(await readFile(require.resolve('tree-sitter-python/tree-sitter-python.wasm')));
}
