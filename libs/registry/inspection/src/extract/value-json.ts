import { isSequence } from './containers.js';
import { textOf, type DictValue, type PythonValue } from './value.js';

/** JSON texts above it are unknown as a whole. */
const MAX_LENGTH = 1 << 20;
const MAX_DEPTH = 50;

/** Writes values as JSON text and notes the paths of what is not known. */
export class ValueJson {
  private length = 0;

  constructor(private readonly unknown: Set<string>) {}

  /** An attribute whose JSON text gets too long is unknown as a whole: `""`. */
  whole(path: string, write: () => string | undefined): string {
    this.length = 0;
    const text = write();
    if (text !== undefined && this.length <= MAX_LENGTH) return text;
    this.unknown.add(path);
    return '';
  }

  write(value: PythonValue, path: string, depth = 0): string {
    if (depth > MAX_DEPTH || this.length > MAX_LENGTH) return this.unknownAt(path, value);
    if (value.kind === 'text') return this.put(JSON.stringify(value.value));
    if (value.kind === 'constant') return this.put(String(value.value));
    if (value.kind === 'number') return this.put(numberText(value.value));
    if (isSequence(value)) {
      if (value.open) return this.unknownAt(path, value);
      return this.array(value.items.map((item) => () => this.write(item, path, depth + 1)));
    }
    return value.kind === 'dict'
      ? this.object(value, path, (entry) => this.write(entry, path, depth + 1))
      : this.unknownAt(path, value);
  }

  array(items: readonly (() => string)[]): string {
    return `[${items.map((item) => this.put(item())).join(', ')}]`;
  }

  /** `path` is noted where entries may be missing or not exist. */
  object(dict: DictValue, path: string, write: (value: PythonValue, name: string) => string): string {
    if (dict.open || dict.varying) this.unknown.add(path);
    const entries = [...dict.entries.values()].map(({ key, value }) => {
      const name = keyText(key);
      return `${this.put(JSON.stringify(name))}: ${write(value, name)}`;
    });
    return `{${entries.join(', ')}}`;
  }

  /** `null`, or `[]` for a list that is only known at run time. */
  unknownAt(path: string, value: PythonValue): string {
    this.unknown.add(path);
    return this.put(value.kind === 'list' || (value.kind === 'unknown' && value.isList) ? '[]' : 'null');
  }

  private put(text: string): string {
    this.length += text.length;
    return text;
  }
}

/** Python writes other keys than texts as JSON does their values. */
function keyText(key: PythonValue): string {
  return textOf(key) ?? (key.kind === 'constant' || key.kind === 'number' ? String(key.value) : '');
}

/** As Python writes it: a float keeps its fraction. */
function numberText(value: bigint | number): string {
  if (typeof value === 'bigint') return String(value);
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : JSON.stringify(value);
}
