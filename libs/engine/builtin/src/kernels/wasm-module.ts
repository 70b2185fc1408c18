import { joined, unsigned, Variable, type Code, type ValueType } from './wasm-code.js';

const TYPES: Readonly<Record<ValueType, number>> = { i32: 0x7f, f64: 0x7c, v128: 0x7b };
const HEADER: Code = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const PAGE_BYTES = 65_536;

/** A function of a module: it takes parameters, changes memory and answers nothing. */
export class WasmFunction {
  private readonly parameters: ValueType[] = [];
  private readonly locals: ValueType[] = [];
  private body: Code = [];

  constructor(readonly name: string) {}

  /** The next parameter; all of them come before the first local. */
  parameter(type: ValueType = 'i32'): Variable {
    this.parameters.push(type);
    return new Variable(this.parameters.length - 1);
  }

  local(type: ValueType = 'i32'): Variable {
    this.locals.push(type);
    return new Variable(this.parameters.length + this.locals.length - 1);
  }

  /** What the function does. */
  does(...body: readonly Code[]): this {
    this.body = joined(body);
    return this;
  }

  get type(): Code {
    return [0x60, ...list(this.parameters.map((type) => [TYPES[type]])), 0x00];
  }

  get code(): Code {
    const declared = list(this.locals.map((type) => [1, TYPES[type]]));
    return sized([...declared, ...this.body, 0x0b]);
  }
}

/** A module of these functions under their names, over a memory that it is given as `memory.pixels`. */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...HEADER,
    ...section(1, list(functions.map(({ type }) => type))),
    ...section(2, list([[...text('memory'), ...text('pixels'), 0x02, 0x00, 0x00]])),
    ...section(3, list(functions.map((_, i) => unsigned(i)))),
    ...section(7, list(functions.map(({ name }, i) => [...text(name), 0x00, ...unsigned(i)]))),
    ...section(10, list(functions.map(({ code }) => code))),
  ]);
}

/** How many pages of WebAssembly's memory hold so many bytes. */
export function pagesOf(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES);
}

function section(id: number, content: Code): Code {
  return [id, ...sized(content)];
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...joined(items)];
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content];
}

function text(name: string): Code {
  return sized([...Buffer.from(name, 'latin1')]);
}
