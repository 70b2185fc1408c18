import type { Node } from 'web-tree-sitter';
import { calledBy, MAX_NAME } from './python-source.js';
import type { PythonCall, PythonSource } from './python-source.js';
import { GivenArguments } from './given-arguments.js';
import { readsNetwork } from './network-calls.js';

const RUNS_TEXT = /^(exec|eval)$/;
const DECODES =
  /^(base64\.\w*(decode\w*)|zlib\.decompress(obj\(\)\.decompress)?|(gzip|bz2|lzma)\.(decompress|open|\w+File)|marshal\.loads?|(pickle|_pickle|cPickle|dill|cloudpickle)\.loads?|binascii\.(unhexlify|a2b_\w+|rlecode_hqx)|(bytes|bytearray)\.fromhex|codecs\.(decode|getdecoder\(\))|chr|bytes|bytearray|rot13)$/;

/** Calls between the decoding and the run. In code like modulefinder, everything reaches everything by more of them. */
const MAX_HOPS = 3;

/** What a call runs as code: its arguments if it is `exec` or `eval`, also by `map(exec, …)`; undefined if it runs none. */
export function executedBy(source: PythonSource, call: PythonCall): readonly Node[] | undefined {
  if (RUNS_TEXT.test(call.name)) return call.args;
  const [first, ...rest] = call.args;
  if (call.name !== 'map' || first === undefined) return undefined;
  return RUNS_TEXT.test(source.nameOf(first, call.scope)) ? rest : undefined;
}

/** What a call gives to a function of another file that runs it. */
export function executedAbroad(
  source: PythonSource,
  { name, node, args, scope }: PythonCall,
): readonly Node[] | undefined {
  const target = calledBy(node);
  if (!name.startsWith('.') && target?.type !== 'identifier') return undefined;
  return source.importedAs(target?.text.slice(0, MAX_NAME) ?? '', scope)?.runs === true ? args : undefined;
}

/** Whether the name of a function matters to the files that import it under another name. */
export function isRunOrDecoder(name: string): boolean {
  return RUNS_TEXT.test(name) || name === 'compile' || DECODES.test(name);
}

/** Code objects that are made without `exec`. */
export function compiledBy(call: PythonCall): readonly Node[] | undefined {
  return /^(compile|types\.(FunctionType|CodeType))$/.test(call.name) ? call.args : undefined;
}

/** Says whether expressions contain decoded or downloaded data, also by names, loops, parameters or a function of the file. */
export class DecodedData {
  /** Functions of the file in which data are decoded. */
  readonly #functions = new Set<string>();
  readonly #decoding = new Set<number>();
  /** Names by scope that nothing decoded reaches: what is run again and again is followed once. */
  readonly #clean = new Set<string>();
  readonly #given: GivenArguments;

  constructor(private readonly source: PythonSource) {
    this.#given = new GivenArguments(source);
    for (const call of source.calls) {
      const isDecoder = DECODES.test(call.name) || readsNetwork(call.name) || isTextDecode(call);
      if (!isDecoder && !this.#mapsDecoder(call) && !this.#repairs(call)) continue;
      this.#decoding.add(call.node.id);
      const name = source.functions.get(call.scope)?.name;
      // `chr`, `bytes` and the replacing of text are decoding only where their result is run at once.
      if (name !== undefined && name !== '' && !/^(chr|bytes|bytearray|map|)$/.test(call.name))
        this.#functions.add(name);
    }
  }

  /** `map(chr, numbers)`. */
  #mapsDecoder({ name, args, scope }: PythonCall): boolean {
    return name === 'map' && args[0] !== undefined && DECODES.test(this.source.nameOf(args[0], scope));
  }

  /**
   * `"e#x#i#t".replace("#", "")`: a text of the file whose every part stands there could stand there as it is run. What is
   * inserted into a template does not stand there, and a user's formula does not either.
   */
  #repairs({ node, args, scope }: PythonCall): boolean {
    const target = node.childForFieldName('function');
    if (target?.type !== 'attribute' || target.childForFieldName('attribute')?.text !== 'replace') return false;
    const [from, to] = args.slice(0, 2).map((arg) => this.source.textOf(arg));
    const object = target.childForFieldName('object');
    if (from === undefined || to === undefined || object === null || from.trim() === '') return false;
    if (object.type !== 'identifier') return this.source.textOf(object) !== undefined;
    if (this.#given.isParameter(object.text, scope)) return false;
    const values = this.source.valuesOf(object.text, scope);
    return values.length > 0 && values.every((value) => this.source.textOf(value) !== undefined);
  }

  isIn(node: Node, scope: number): boolean {
    const seen = new Set<string>();
    const waiting = [{ node, scope, hops: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const leaf of this.source.leaves(next.node)) {
        if (leaf.type === 'call' || leaf.type === 'decorator') {
          if (this.#decodes(leaf)) return true;
        } else if (leaf.type === 'string') {
          for (const hole of this.#holesOf(leaf)) waiting.push({ ...next, node: hole });
        } else {
          const name = leaf.text;
          const key = `${next.hops}:${next.scope}:${name}`;
          if (seen.has(key) || this.#clean.has(key)) continue;
          seen.add(key);
          if (this.source.importedAs(name, next.scope)?.isDecoded === true) return true;
          for (const value of this.#valuesOf(name, next.scope)) waiting.push({ ...next, node: value });
          if (next.hops >= MAX_HOPS) continue;
          for (const given of this.#given.of(name, next.scope)) waiting.push({ ...given, hops: next.hops + 1 });
        }
      }
    }
    for (const key of seen) this.#clean.add(key);
    return false;
  }

  #decodes(call: Node): boolean {
    if (this.#decoding.has(call.id)) return true;
    const target = calledBy(call);
    return target?.type === 'identifier' && this.#functions.has(target.text);
  }

  /** Whether data are decoded in a function of the file. */
  isInFunction(name: string): boolean {
    return this.#functions.has(name);
  }

  #valuesOf(name: string, scope: number): Node[] {
    return [...this.source.valuesOf(name, scope), ...this.source.sourcesOf(name, scope)];
  }

  /** What an f-string inserts. */
  #holesOf(string: Node): Node[] {
    if (!/^[a-z]?[ft]/i.test(this.source.text.slice(string.startIndex, string.startIndex + 2))) return [];
    return string.namedChildren.filter(({ type }) => type === 'interpolation');
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
