import type { Node, Parser } from 'web-tree-sitter';
import { withPythonLines } from '../python/as-python-reads.js';
import { parsePython } from '../python/parse-python.js';
import { readFunction, readImports, readModule } from './read-statements.js';
import type { Block, FunctionBody } from './syntax.js';
import type { WorkBudget } from './work-budget.js';
import { unfrozenTime } from '../unfrozen-time.js';

/** Time for one file: several times of what 1 MiB of plain source takes. */
const FILE_MS = 8000;
/** Syntax nodes of one file that are kept. */
const MAX_FILE_NODES = 500_000;

interface ModuleSyntax {
  readonly block: Block;
  /** The modules of the package that it names in relative imports anywhere, also within functions. */
  readonly imports: readonly string[];
  readonly hasError: boolean;
}

/** The modules of a package: their syntax, and which file an import means. */
export class ModuleFiles {
  private readonly read = new Map<string, ModuleSyntax | undefined>();
  /** By the path of the module and the start of the function. */
  private readonly functions = new Map<string, FunctionBody | undefined>();
  /** As the parser takes them: a function is read from the text of its module. */
  private readonly parsed = new Map<string, string>();

  constructor(
    private readonly texts: ReadonlyMap<string, string>,
    private readonly parser: Parser,
    private readonly budget: WorkBudget,
  ) {}

  get paths(): string[] {
    return [...this.texts.keys()].filter((path) => path.endsWith('.py'));
  }

  textOf(path: string): string {
    const known = this.parsed.get(path);
    if (known !== undefined) return known;
    const text = withPythonLines(this.texts.get(path) ?? '');
    this.parsed.set(path, text);
    return text;
  }

  /** `undefined` for a file that cannot be parsed in time. */
  syntaxOf(path: string): ModuleSyntax | undefined {
    if (!this.read.has(path)) this.read.set(path, this.parseModule(path));
    return this.read.get(path);
  }

  /** Lets go of a syntax that was evaluated. */
  drop(path: string): void {
    const syntax = this.read.get(path);
    if (syntax !== undefined) this.read.set(path, { ...syntax, block: [] });
  }

  /** A function's parameters and body, from its source. */
  functionAt(path: string, start: number, end: number): FunctionBody | undefined {
    const key = `${start} ${path}`;
    if (!this.functions.has(key)) {
      const text = this.textOf(path).slice(start, end);
      this.functions.set(
        key,
        this.withTree(text, (root) => readFunction(root, text, this.budget)),
      );
    }
    return this.functions.get(key);
  }

  /** The file of a module by its place, as `nodes/image`, or of a package, as `nodes`. */
  fileOf(place: string): string | undefined {
    const start = place === '' ? '' : `${place}/`;
    return [`${start}__init__.py`, `${place}.py`].find((path) => this.texts.has(path));
  }

  /** The place that a relative import in the module `path` means; `undefined` where it leaves the package. */
  modulePathOf(path: string, level: number, names: readonly string[]): string | undefined {
    const folders = path.split('/').slice(0, -1);
    if (level === 0 || level - 1 > folders.length) return undefined;
    return [...folders.slice(0, folders.length - (level - 1)), ...names].join('/');
  }

  private parseModule(path: string): ModuleSyntax | undefined {
    const text = this.textOf(path);
    return this.withTree(text, (root) => {
      const nodes = Math.min(this.budget.nodes, MAX_FILE_NODES);
      const left = { nodes };
      const block = readModule(root, text, left);
      this.budget.nodes -= nodes - Math.max(left.nodes, 0);
      return { block, imports: this.importsOf(path, root, text), hasError: root.hasError };
    });
  }

  private importsOf(path: string, root: Node, text: string): string[] {
    // Looking for them in the tree takes a sixth of the time of the parse.
    if (!/\bfrom\s*\./.test(text)) return [];
    const found = readImports(root, text).flatMap(({ level, path: names, names: items = [] }) => {
      const place = this.modulePathOf(path, level, names);
      return place === undefined ? [] : [place, ...items.map(({ name }) => inPlace(place, name))];
    });
    return [...new Set(found.map((place) => this.fileOf(place)).filter((file) => file !== undefined))];
  }

  private withTree<T>(text: string, use: (root: Node) => T): T | undefined {
    this.budget.checkTime();
    const deadline = Math.min(this.budget.deadline, unfrozenTime() + FILE_MS);
    const tree = parsePython(this.parser, text, () => unfrozenTime() > deadline);
    if (tree === undefined) return undefined;
    try {
      return use(tree.rootNode);
    } finally {
      tree.delete();
    }
  }
}

/** The place of a module in a package. */
export const inPlace = (place: string, name: string): string => (place === '' ? name : `${place}/${name}`);
