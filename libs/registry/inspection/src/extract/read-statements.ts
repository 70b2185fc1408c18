import type { Node } from 'web-tree-sitter';
import { children, ExpressionReader, UNKNOWN_EXPRESSION } from './read-expression.js';
import type { Block, Expression, FromImport, FunctionBody, FunctionDefinition, PythonStatement } from './syntax.js';

/** Deeper blocks are left out. */
const MAX_DEPTH = 100;

/** The statements of a module; those in parts with syntax errors too, as far as they can be told apart. */
export function readModule(root: Node, text: string, budget: { nodes: number }): Block {
  return new StatementReader(new ExpressionReader(text, budget)).readBlock(root);
}

/** Parameters and body of the function that `root` starts with; `undefined` where it yields or has parameters of other kinds. */
export function readFunction(root: Node, text: string, budget: { nodes: number }): FunctionBody | undefined {
  const definition = children(root).find(({ type }) => type === 'function_definition');
  if (definition === undefined || /\b(?:yield|async|nonlocal)\b/.test(text)) return undefined;
  const reader = new StatementReader(new ExpressionReader(text, budget));
  return {
    parameters: reader.readParameters(definition.childForFieldName('parameters')),
    body: reader.readBlock(definition.childForFieldName('body')),
  };
}

/** Every `from … import …` of a text, also within functions. */
export function readImports(root: Node, text: string): FromImport[] {
  const reader = new StatementReader(new ExpressionReader(text, { nodes: 0 }));
  return root.descendantsOfType('import_from_statement').map((node) => reader.readFrom(node));
}

class StatementReader {
  private depth = 0;

  constructor(private readonly expressions: ExpressionReader) {}

  readBlock(node: Node | null): Block {
    if (node === null || this.depth >= MAX_DEPTH) return [];
    this.depth += 1;
    const block = node.namedChildren.flatMap((child) => this.readStatement(child));
    this.depth -= 1;
    return block;
  }

  readParameters(node: Node | null): FunctionBody['parameters'] {
    return children(node).map((child) => {
      const value = child.childForFieldName('value');
      const name = child.childForFieldName('name') ?? (child.type === 'typed_parameter' ? child.namedChild(0) : child);
      const isPlain = name?.type === 'identifier';
      return {
        // `*args` and `**options` are bound to nothing that is known.
        name: isPlain ? this.expressions.textOf(name) : this.expressions.textOf(name).replace(/^\*+/, ''),
        ...(isPlain ? value !== null && { value: this.expressions.read(value) } : { value: UNKNOWN_EXPRESSION }),
      };
    });
  }

  private readStatement(node: Node): Block {
    const field = (name: string): Node | null => node.childForFieldName(name);
    switch (node.type) {
      case 'expression_statement':
        return children(node).flatMap((child) => this.readSimple(child));
      case 'import_statement':
        return children(node).map((child) => this.readImport(child));
      case 'import_from_statement':
        return [this.readFrom(node)];
      case 'class_definition':
        return [this.readClass(node)];
      case 'function_definition':
        return [{ kind: 'function', definition: this.readDefinition(node, []) }];
      case 'decorated_definition':
        return this.readDecorated(node);
      case 'if_statement':
        return this.readIf(node);
      case 'try_statement':
        return this.readTry(node);
      case 'with_statement':
        return this.readBlock(field('body'));
      case 'for_statement':
        return [...this.readFor(node), ...this.readBlock(field('alternative')?.childForFieldName('body') ?? null)];
      case 'while_statement':
        return [{ kind: 'branches', blocks: [this.readBlock(field('body'))], exhaustive: false }];
      case 'match_statement':
        return [{ kind: 'branches', blocks: this.readCases(field('body')), exhaustive: false }];
      case 'return_statement': {
        const [value] = children(node);
        return [{ kind: 'return', value: value ? this.expressions.read(value) : { kind: 'constant', value: null } }];
      }
      case 'global_statement':
        return [{ kind: 'global', names: children(node).map((child) => this.expressions.textOf(child)) }];
      case 'delete_statement':
        return children(node)
          .flatMap((child) => (child.type === 'expression_list' ? children(child) : [child]))
          .map((child) => ({ kind: 'delete', target: this.expressions.read(child) }));
      case 'raise_statement':
      case 'break_statement':
      case 'continue_statement':
        return [{ kind: 'stop' }];
      // What a syntax error swallowed, and blocks that it tore out of their statement.
      case 'ERROR':
      case 'block':
        return this.readBlock(node);
      // Within an ERROR, simple statements stand bare.
      case 'assignment':
      case 'augmented_assignment':
      case 'call':
        return this.readSimple(node);
      default:
        return [];
    }
  }

  private readSimple(node: Node): Block {
    const field = (name: string): Node | null => node.childForFieldName(name);
    if (node.type === 'augmented_assignment') {
      const operator = this.expressions.textOf(field('operator')).replace(/=$/, '');
      const [target, value] = [this.expressions.read(field('left')), this.expressions.read(field('right'))];
      return [{ kind: 'augment', target, operator, value }];
    }
    if (node.type !== 'assignment') return [{ kind: 'expression', value: this.expressions.read(node) }];
    const targets: Expression[] = [];
    let last: Node | null = node;
    while (last?.type === 'assignment') {
      targets.push(this.expressions.read(last.childForFieldName('left')));
      last = last.childForFieldName('right');
    }
    // `name: type` alone binds nothing.
    return last === null ? [] : [{ kind: 'assign', targets, value: this.expressions.read(last) }];
  }

  private readImport(node: Node): PythonStatement {
    const alias = node.childForFieldName('alias');
    const path = this.dotted(node.type === 'aliased_import' ? node.childForFieldName('name') : node);
    // `import a.b` binds `a`.
    return alias === null
      ? { kind: 'import', name: path[0] ?? '', path: path.slice(0, 1) }
      : { kind: 'import', name: this.expressions.textOf(alias), path };
  }

  readFrom(node: Node): FromImport {
    const from = node.childForFieldName('module_name');
    const isRelative = from?.type === 'relative_import';
    const prefix = isRelative ? this.expressions.textOf(from.namedChild(0)) : '';
    const path = this.dotted(isRelative ? from.namedChild(1) : from);
    const level = prefix.replaceAll(/[^.]/g, '').length;
    if (children(node).some(({ type }) => type === 'wildcard_import')) return { kind: 'from', level, path };
    const names = node.childrenForFieldName('name').map((child) => {
      const name = this.expressions.textOf(child.type === 'aliased_import' ? child.childForFieldName('name') : child);
      const alias = child.childForFieldName('alias');
      return { name, as: alias === null ? name : this.expressions.textOf(alias) };
    });
    return { kind: 'from', level, path, names };
  }

  private dotted(node: Node | null): string[] {
    const text = this.expressions.textOf(node).replaceAll(/\s+/g, '');
    return text === '' ? [] : text.split('.');
  }

  private readClass(node: Node): PythonStatement {
    const bases = this.expressions.readArguments(node.childForFieldName('superclasses'));
    return {
      kind: 'class',
      name: this.expressions.textOf(node.childForFieldName('name')),
      bases: bases
        .filter(({ name }) => name === undefined)
        .map((base) => (base.spread ? UNKNOWN_EXPRESSION : base.value)),
      body: this.readBlock(node.childForFieldName('body')),
    };
  }

  private readDecorated(node: Node): Block {
    const definition = node.childForFieldName('definition');
    if (definition?.type !== 'function_definition') return definition === null ? [] : this.readStatement(definition);
    const decorators = children(node)
      .filter(({ type }) => type === 'decorator')
      .map((child) => this.expressions.textOf(child).slice(1).trim());
    return [{ kind: 'function', definition: this.readDefinition(definition, decorators) }];
  }

  private readDefinition(node: Node, decorators: readonly string[]): FunctionDefinition {
    const name = this.expressions.textOf(node.childForFieldName('name'));
    return { name, decorators, start: node.startIndex, end: node.endIndex };
  }

  private readIf(node: Node): Block {
    // Its block does not run when a module is imported.
    const isMain = /^\(?\s*__name__\s*==/.test(this.expressions.textOf(node.childForFieldName('condition')));
    const first = isMain ? [] : this.readBlock(node.childForFieldName('consequence'));
    const alternatives = node.childrenForFieldName('alternative');
    const blocks = alternatives.map((child) =>
      this.readBlock(child.childForFieldName('consequence') ?? child.childForFieldName('body')),
    );
    const exhaustive = alternatives.some(({ type }) => type === 'else_clause');
    return [{ kind: 'branches', blocks: [first, ...blocks], exhaustive }];
  }

  private readTry(node: Node): Block {
    const blockOf = (child: Node | undefined): Block =>
      this.readBlock(child?.namedChildren.find(({ type }) => type === 'block') ?? null);
    const parts = (type: string): Node[] => node.namedChildren.filter((child) => child.type.startsWith(type));
    const body = [...this.readBlock(node.childForFieldName('body')), ...blockOf(parts('else_clause')[0])];
    const blocks = [body, ...parts('except').map(blockOf)];
    return [{ kind: 'branches', blocks, exhaustive: true }, ...blockOf(parts('finally_clause')[0])];
  }

  private readFor(node: Node): Block {
    const body = this.readBlock(node.childForFieldName('body'));
    const target = this.expressions.read(node.childForFieldName('left'));
    const source = this.expressions.read(node.childForFieldName('right'));
    const isPlain = body.every((statement) => !leaves(statement));
    return [{ kind: 'for', target, source: isPlain ? source : UNKNOWN_EXPRESSION, body }];
  }

  private readCases(node: Node | null): Block[] {
    return children(node)
      .filter(({ type }) => type === 'case_clause')
      .map((child) => this.readBlock(child.childForFieldName('consequence')));
  }
}

/** Whether a statement may end the loop around it early. */
function leaves(statement: PythonStatement): boolean {
  if (statement.kind === 'branches') return statement.blocks.some((block) => block.some(leaves));
  return (
    statement.kind === 'stop' ||
    statement.kind === 'return' ||
    (statement.kind === 'for' && statement.body.some(leaves))
  );
}
