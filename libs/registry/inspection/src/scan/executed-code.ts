import type { Node } from 'web-tree-sitter';
import type { PythonCall, PythonSource } from './python-source.js';
import { readsNetwork } from './network-calls.js';

const RUNS_TEXT = /^(exec|eval)$/;
const DECODES =
  /^(base64\.\w*(decode\w*)|zlib\.decompress(obj\(\)\.decompress)?|(gzip|bz2|lzma)\.decompress|marshal\.loads|binascii\.(unhexlify|a2b_\w+|rlecode_hqx)|(bytes|bytearray)\.fromhex|codecs\.(decode|getdecoder\(\))|chr|bytes|bytearray|rot13)$/;

const MAX_INDIRECT = 3;

/** What a call runs as code: its arguments if it is `exec` or `eval`, also by `map(exec, …)`; undefined if it runs none. */
export function executedBy(source: PythonSource, call: PythonCall): readonly Node[] | undefined {
  if (RUNS_TEXT.test(call.name)) return call.args;
  const [first, ...rest] = call.args;
  if (call.name !== 'map' || first === undefined) return undefined;
  return RUNS_TEXT.test(source.nameOf(first, call.scope)) ? rest : undefined;
}

/** Code objects that are made without `exec`. */
export function compiledBy(call: PythonCall): readonly Node[] | undefined {
  return /^(compile|types\.(FunctionType|CodeType))$/.test(call.name) ? call.args : undefined;
}

/** Says whether expressions contain decoded or downloaded data, also by a name of the same scope or a function of the file. */
export class DecodedData {
  /** Functions of the file in which data are decoded. */
  readonly #functions = new Set<string>();
  readonly #decoding = new Set<number>();

  constructor(private readonly source: PythonSource) {
    for (const call of source.calls) {
      if (!DECODES.test(call.name) && !readsNetwork(call.name) && !isTextDecode(call)) continue;
      this.#decoding.add(call.node.id);
      const name = source.functions.get(call.scope)?.name;
      // `chr` and `bytes` are decoding only where their result is run at once.
      if (name !== undefined && name !== '' && !/^(chr|bytes|bytearray)$/.test(call.name)) this.#functions.add(name);
    }
  }

  isIn(node: Node, scope: number, seen = new Set<string>(), depth = 0): boolean {
    for (const leaf of this.source.leaves(node)) {
      if (leaf.type === 'string') continue;
      if (leaf.type === 'call') {
        if (this.#decoding.has(leaf.id)) return true;
        const target = leaf.childForFieldName('function');
        if (target?.type === 'identifier' && this.#functions.has(target.text)) return true;
        continue;
      }
      if (depth >= MAX_INDIRECT || seen.has(leaf.text)) continue;
      seen.add(leaf.text);
      if (this.source.valuesOf(leaf.text, scope).some((value) => this.isIn(value, scope, seen, depth + 1))) return true;
    }
    return false;
  }
}

/** `text.decode("rot13")` and the like; `.decode()` and `.decode("utf-8")` are ordinary. */
function isTextDecode(call: PythonCall): boolean {
  const target = call.node.childForFieldName('function');
  if (target?.type !== 'attribute' || target.childForFieldName('attribute')?.text !== 'decode') return false;
  const first = call.args[0];
  return (
    first?.type === 'string' &&
    /^["'](rot.?13|hex|base64|zlib|unicode.escape|raw.unicode.escape|utf.7)/i.test(first.text)
  );
}
