import type { Node } from 'web-tree-sitter';
import { decodeString } from './string-literal.js';
import type { Argument, Entry, Expression, Item } from './syntax.js';

/** Deeper expressions are unknown: they are generated, and reading them recurses. */
const MAX_DEPTH = 100;

export const UNKNOWN_EXPRESSION: Expression = { kind: 'unknown' };

/** Reads expressions of one text, up to a number of syntax nodes; what is above the bound is unknown. */
export class ExpressionReader {
  private depth = 0;

  constructor(
    private readonly text: string,
    private budget: { nodes: number },
  ) {}

  read(node: Node | null): Expression {
    if (node === null || this.depth >= MAX_DEPTH || --this.budget.nodes < 0) return UNKNOWN_EXPRESSION;
    this.depth += 1;
    try {
      return this.readKind(node);
    } finally {
      this.depth -= 1;
    }
  }

  textOf(node: Node | null): string {
    return node === null ? '' : this.text.slice(node.startIndex, node.endIndex);
  }

  private readKind(node: Node): Expression {
    const field = (name: string): Node | null => node.childForFieldName(name);
    switch (node.type) {
      case 'string':
        return this.readString(node);
      case 'concatenated_string':
        return concatenated(children(node).map((part) => this.read(part)));
      case 'integer':
      case 'float':
        return { kind: 'number', source: this.textOf(node) };
      case 'true':
      case 'false':
        return { kind: 'constant', value: node.type === 'true' };
      case 'none':
        return { kind: 'constant', value: null };
      case 'identifier':
        return { kind: 'name', name: this.textOf(node) };
      case 'attribute':
        return { kind: 'attribute', object: this.read(field('object')), name: this.textOf(field('attribute')) };
      case 'subscript':
        return this.readItem(node);
      case 'tuple':
      case 'expression_list':
      case 'pattern_list':
      case 'tuple_pattern':
        return { kind: 'sequence', of: 'tuple', items: this.readItems(node) };
      case 'list':
      case 'list_pattern':
        return { kind: 'sequence', of: 'list', items: this.readItems(node) };
      case 'dictionary':
        return { kind: 'dict', entries: children(node).map((entry) => this.readEntry(entry)) };
      case 'parenthesized_expression':
        return this.read(children(node)[0] ?? null);
      case 'binary_operator':
        return {
          kind: 'binary',
          operator: this.textOf(field('operator')),
          left: this.read(field('left')),
          right: this.read(field('right')),
        };
      case 'unary_operator':
        return this.textOf(field('operator')) === '-'
          ? { kind: 'negative', operand: this.read(field('argument')) }
          : UNKNOWN_EXPRESSION;
      case 'conditional_expression': {
        const [then, , otherwise] = children(node);
        return { kind: 'either', options: [this.read(then ?? null), this.read(otherwise ?? null)] };
      }
      case 'call':
        return { kind: 'call', callee: this.read(field('function')), args: this.readArguments(field('arguments')) };
      case 'list_comprehension':
      case 'generator_expression':
      case 'dictionary_comprehension':
        return this.readComprehension(node);
      default:
        return UNKNOWN_EXPRESSION;
    }
  }

  private readString(node: Node): Expression {
    const parts = children(node);
    const start = parts.find(({ type }) => type === 'string_start');
    const end = parts.find(({ type }) => type === 'string_end');
    const prefix = this.textOf(start ?? null).replace(/['"]+$/, '');
    if (start === undefined || end === undefined || /b/i.test(prefix)) return UNKNOWN_EXPRESSION;
    if (!/[ft]/i.test(prefix)) {
      return { kind: 'text', value: decodeString(this.text.slice(start.endIndex, end.startIndex), prefix) };
    }
    const readPart = (part: Node): Expression =>
      part.type === 'interpolation'
        ? this.readHole(part)
        : {
            kind: 'text',
            value: decodeString(this.textOf(part), prefix).replaceAll(/\{\{|\}\}/g, (two) => two.charAt(0)),
          };
    return { kind: 'format', parts: parts.filter((part) => part !== start && part !== end).map(readPart) };
  }

  /** A hole with a format or a conversion is unknown. */
  private readHole(node: Node): Expression {
    const plain = children(node).length === 1 && !this.textOf(node).replace(/\}$/, '').trimEnd().endsWith('=');
    return plain ? this.read(node.childForFieldName('expression')) : UNKNOWN_EXPRESSION;
  }

  private readItem(node: Node): Expression {
    const [object, index, more] = children(node);
    if (object === undefined || index === undefined || more !== undefined) return UNKNOWN_EXPRESSION;
    return { kind: 'item', object: this.read(object), index: this.read(index) };
  }

  private readItems(node: Node): Item[] {
    return children(node).map((child) => {
      const spread = child.type === 'list_splat' || child.type === 'list_splat_pattern';
      return { value: this.read(spread ? (children(child)[0] ?? null) : child), spread };
    });
  }

  private readEntry(node: Node): Entry {
    if (node.type === 'pair') {
      return { key: this.read(node.childForFieldName('key')), value: this.read(node.childForFieldName('value')) };
    }
    return { value: node.type === 'dictionary_splat' ? this.read(children(node)[0] ?? null) : UNKNOWN_EXPRESSION };
  }

  readArguments(node: Node | null): Argument[] {
    if (node?.type === 'generator_expression') return [{ value: this.read(node) }];
    return children(node).map((child): Argument => {
      if (child.type === 'keyword_argument') {
        return {
          name: this.textOf(child.childForFieldName('name')),
          value: this.read(child.childForFieldName('value')),
        };
      }
      if (child.type === 'list_splat') return { spread: '*', value: this.read(children(child)[0] ?? null) };
      if (child.type === 'dictionary_splat') return { spread: '**', value: this.read(children(child)[0] ?? null) };
      return { value: this.read(child) };
    });
  }

  private readComprehension(node: Node): Expression {
    const body = node.childForFieldName('body');
    const parts = children(node);
    const isDict = node.type === 'dictionary_comprehension';
    return {
      kind: 'comprehension',
      ...(isDict && { key: this.read(body?.childForFieldName('key') ?? null) }),
      value: this.read(isDict ? (body?.childForFieldName('value') ?? null) : body),
      loops: parts
        .filter(({ type }) => type === 'for_in_clause')
        .map((loop) => ({
          target: this.read(loop.childForFieldName('left')),
          source: this.read(loop.childForFieldName('right')),
        })),
      hasCondition: parts.some(({ type }) => type === 'if_clause'),
    };
  }
}

/** Without comments and parts that are not syntax. */
export function children(node: Node | null): Node[] {
  return node?.namedChildren.filter((child) => !child.isExtra && !child.isError) ?? [];
}

function concatenated(parts: readonly Expression[]): Expression {
  const texts = parts.map((part) => (part.kind === 'text' ? part.value : undefined));
  return texts.every((text) => text !== undefined)
    ? { kind: 'text', value: texts.join('') }
    : { kind: 'format', parts };
}
