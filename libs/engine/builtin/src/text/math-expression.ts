import { NodeError } from '../execution/node-error.js';
import { callFunction } from './math-functions.js';
import { isTrue, numeric, type MathValue } from './math-values.js';

const TOKEN =
  /\s*(?:(\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|\/\/|<=|>=|==|!=|[-+*/%()<>,[\]]))/y;
const MAX_TOKENS = 10_000;
const MAX_DEPTH = 200;

/** Evaluates an expression of numbers, names, operators and a few functions with Python's meaning of each. */
export function evaluateMath(text: string, names: ReadonlyMap<string, MathValue>): MathValue {
  const parser = new MathParser(tokens(text), names);
  return parser.whole();
}

function tokens(text: string): readonly string[] {
  const found: string[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (!token || found.length >= MAX_TOKENS) throw invalid(`invalid syntax at position ${at}`);
    found.push(token[1] ?? token[2] ?? token[3] ?? '');
  }
  return found;
}

const COMPARISONS = ['<', '<=', '>', '>=', '==', '!='];

class MathParser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly list: readonly string[],
    private readonly names: ReadonlyMap<string, MathValue>,
  ) {}

  whole(): MathValue {
    const value = this.conditional();
    if (this.at < this.list.length) throw invalid(`invalid syntax near '${this.list[this.at]}'`);
    return value;
  }

  private conditional(): MathValue {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw invalid('the expression is nested too deeply');
    const value = this.either();
    this.depth -= 1;
    if (!this.take('if')) return value;
    const condition = this.either();
    if (!this.take('else')) throw invalid("expected 'else' after 'if' expression");
    const other = this.conditional();
    return isTrue(condition) ? value : other;
  }

  private either(): MathValue {
    let value = this.both();
    while (this.take('or')) {
      const other = this.both();
      if (!isTrue(value)) value = other;
    }
    return value;
  }

  private both(): MathValue {
    let value = this.negated();
    while (this.take('and')) {
      const other = this.negated();
      if (isTrue(value)) value = other;
    }
    return value;
  }

  private negated(): MathValue {
    return this.take('not') ? !isTrue(this.negated()) : this.comparison();
  }

  private comparison(): MathValue {
    let left = this.sum();
    let result: MathValue | null = null;
    for (let sign = this.list[this.at] ?? ''; COMPARISONS.includes(sign); sign = this.list[this.at] ?? '') {
      this.at += 1;
      const right = this.sum();
      const holds = compare(sign, numeric(left), numeric(right));
      result = result === null ? holds : isTrue(result) && holds;
      left = right;
    }
    return result ?? left;
  }

  private sum(): MathValue {
    let value = this.product();
    for (let sign = this.next('+', '-'); sign !== null; sign = this.next('+', '-')) {
      value = calculate(sign, value, this.product());
    }
    return value;
  }

  private product(): MathValue {
    let value = this.unary();
    for (let sign = this.next('*', '/', '//', '%'); sign !== null; sign = this.next('*', '/', '//', '%')) {
      value = calculate(sign, value, this.unary());
    }
    return value;
  }

  private unary(): MathValue {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw invalid('the expression is nested too deeply');
    const sign = this.next('-', '+');
    let value: MathValue;
    if (sign === null) value = this.power();
    else {
      const operand = numeric(this.unary());
      value = sign === '-' ? -operand : operand;
    }
    this.depth -= 1;
    return value;
  }

  private power(): MathValue {
    const base = this.atom();
    return this.take('**') ? calculate('**', base, this.unary()) : base;
  }

  private atom(): MathValue {
    const token = this.list[this.at];
    this.at += 1;
    if (token === undefined) throw invalid('invalid syntax');
    if (/^[\d.]/.test(token)) return numberOf(token.replace(/_/g, ''));
    if (token === '(') {
      const value = this.conditional();
      this.expect(')');
      return this.indexed(value);
    }
    if (token === '[') return this.indexed(this.list_(']'));
    if (token === 'True' || token === 'False') return token === 'True';
    if (!/^[A-Za-z_]/.test(token)) throw invalid(`invalid syntax near '${token}'`);
    if (this.take('(')) return callFunction(token, this.list_(')') as readonly MathValue[]);
    const value = this.names.get(token);
    if (value === undefined) {
      throw new NodeError('simpleeval.NameNotDefined', `'${token}' is not defined for expression`);
    }
    return this.indexed(value);
  }

  private indexed(value: MathValue): MathValue {
    let current = value;
    while (this.take('[')) {
      const index = Number(numeric(this.conditional()));
      this.expect(']');
      if (!Array.isArray(current)) throw new NodeError('TypeError', 'this value has no items');
      const item = (current as readonly MathValue[]).at(index);
      if (item === undefined) throw new NodeError('IndexError', 'list index out of range');
      current = item;
    }
    return current;
  }

  private list_(end: string): MathValue {
    const values: MathValue[] = [];
    while (!this.take(end)) {
      values.push(this.conditional());
      if (this.take(',')) continue;
      this.expect(end);
      break;
    }
    return values;
  }

  private expect(token: string): void {
    if (!this.take(token)) throw invalid(`'${token}' was expected`);
  }

  private take(token: string): boolean {
    if (this.list[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  private next(...signs: readonly string[]): string | null {
    const token = this.list[this.at];
    if (token === undefined || !signs.includes(token)) return null;
    this.at += 1;
    return token;
  }
}

function numberOf(token: string): MathValue {
  return /^\d+$/.test(token) ? BigInt(token) : Number(token);
}

function compare(sign: string, left: number | bigint, right: number | bigint): boolean {
  if (sign === '<') return left < right;
  if (sign === '<=') return left <= right;
  if (sign === '>') return left > right;
  if (sign === '>=') return left >= right;
  // Loose on purpose: an int and a float of one value are equal.
  return (Number(left) === Number(right)) === (sign === '==');
}

function calculate(sign: string, left: MathValue, right: MathValue): MathValue {
  return callFunction(`operator ${sign}`, [left, right]);
}

function invalid(why: string): NodeError {
  return new NodeError('simpleeval.InvalidExpression', why);
}
