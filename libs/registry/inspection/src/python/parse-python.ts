import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, Parser, type Tree } from 'web-tree-sitter';

const require = createRequire(import.meta.url);

let loading: Promise<Language> | undefined;

/** A parser of Python. The first call loads the WebAssembly of the parser and of the grammar; `delete()` frees the parser. */
export async function loadPython(): Promise<Parser> {
  const language = await (loading ??= loadLanguage());
  return new Parser().setLanguage(language);
}

/**
 * The syntax tree of a Python text, also where the text has syntax errors. Its indices count UTF-16 code units of `text`.
 * `undefined` if `deadline` (milliseconds of `performance.now()`) passes first. The caller frees the tree with `delete()`.
 */
export function parsePython(parser: Parser, text: string, deadline = Infinity): Tree | undefined {
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  // Otherwise the next text would continue the parse that was cancelled.
  if (tree === null) parser.reset();
  return tree ?? undefined;
}

async function loadLanguage(): Promise<Language> {
  // From bytes, because a bundle does not lie beside the packages' files.
  const bytesOf = (file: string): Promise<Buffer> => readFile(require.resolve(file));
  const wasmBinary = await bytesOf('web-tree-sitter/web-tree-sitter.wasm');
  await Parser.init({ wasmBinary });
  return Language.load(await bytesOf('tree-sitter-python/tree-sitter-python.wasm'));
}
