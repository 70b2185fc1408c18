// Rules of this repository that no published plugin provides. Small, syntactic, without options.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { VAGUE_FOLDERS, VAGUE_PREFIX, VAGUE_SUFFIX } from './names.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

const rule = (message, create) => ({
  meta: { type: 'problem', schema: [], messages: { broken: message } },
  create: (context) => create(context, (node, data) => context.report({ node, messageId: 'broken', data })),
});

const onImports = (visit) => ({
  ImportDeclaration: (node) => visit(node.source),
  ImportExpression: (node) => visit(node.source),
  ExportNamedDeclaration: (node) => node.source && visit(node.source),
  ExportAllDeclaration: (node) => visit(node.source),
});

const noExportAll = rule('Spell the exported names out: `export *` hides what a library offers.', (_, report) => ({
  ExportAllDeclaration: (node) => report(node),
}));

const noDefaultExport = rule('Export by name: a default export has a different name in every file.', (_, report) => ({
  ExportDefaultDeclaration: (node) => report(node),
}));

const noForwardRef = rule(
  'No forwardRef: two providers that need each other are one, or a third is missing.',
  (_, report) => ({
    Identifier: (node) => node.name === 'forwardRef' && report(node),
  }),
);

/** Entries in a library's package.json beside its root: not every user of the library loads them. */
function isEntry(path) {
  const [scope, name, ...rest] = path.split('/');
  const manifest = join(ROOT, 'node_modules', scope, name, 'package.json');
  if (!existsSync(manifest)) return false;
  return Object.hasOwn(JSON.parse(readFileSync(manifest, 'utf8')).exports ?? {}, `./${rest.join('/')}`);
}

const noDeepImport = rule(
  "'{{path}}' reaches past a package's root: import '@heddle/<name>', an entry that its package.json names, or a file of the same package.",
  (context, report) =>
    onImports((source) => {
      const path = source.value;
      if (typeof path !== 'string') return;
      const deep = /^@heddle\/[^/]+\/./.test(path) && !isEntry(path);
      const foreign =
        path.startsWith('.') && packageOf(context.filename) !== packageOf(resolve(dirname(context.filename), path));
      if (deep || foreign) report(source, { path });
    }),
);

const noVagueName = rule("'{{name}}' says nothing about its contents: name the responsibility.", (context, report) => {
  const segments = relative(context.cwd, context.filename).split(sep);
  const stem = basename(context.filename).replace(/(\.[a-z0-9]+)+$/, '');
  const vague = [...segments.slice(0, -1), stem].find((segment) => VAGUE_FOLDERS.includes(segment));
  const onType = (node) => {
    const name = node.id?.name ?? '';
    if (VAGUE_SUFFIX.test(name) || VAGUE_PREFIX.test(name)) report(node.id, { name });
  };
  return {
    Program: (node) => vague !== undefined && report(node, { name: vague }),
    ClassDeclaration: onType,
    TSInterfaceDeclaration: onType,
    TSTypeAliasDeclaration: onType,
  };
});

const noInnerIndex = rule(
  'One index per library, at its root: an inner barrel hides where things are.',
  (context, report) => ({
    Program: (node) => {
      const atRoot = dirname(context.filename) === join(packageOf(context.filename) ?? '', 'src');
      if (basename(context.filename) === 'index.ts' && !atRoot) report(node);
    },
  }),
);

const noReexport = rule(
  'Export a name in the file that declares it: only an index and an entry of the package hand on names of other files.',
  (context, report) => ({
    'ExportNamedDeclaration[source!=null]': (node) => {
      if (basename(context.filename) !== 'index.ts' && !isEntryFile(context.filename)) report(node);
    },
  }),
);

/** True for the source of an entry in the package.json of its package. */
function isEntryFile(path) {
  const folder = packageOf(path);
  if (folder === null) return false;
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const built = `./${relative(folder, path).split(sep).join('/')}`.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
  return Object.values(exports).some((entry) => entry.default === built);
}

const IMPURE_GLOBALS = new Set(
  'process console setTimeout setInterval setImmediate queueMicrotask performance fetch crypto globalThis Buffer'.split(
    ' ',
  ),
);

const pureDomain = rule(
  'The domain is pure: {{what}} belongs to its callers, who pass the result in.',
  (context, report) => ({
    ...onImports((source) => {
      const path = String(source.value);
      if (!path.startsWith('.') && !path.startsWith('@heddle/')) report(source, { what: `'${path}'` });
    }),
    ':function[async=true]': (node) => report(node, { what: 'async' }),
    AwaitExpression: (node) => report(node, { what: 'await' }),
    'NewExpression[callee.name="Promise"]': (node) => report(node, { what: 'a promise' }),
    'NewExpression[callee.name="Date"][arguments.length=0]': (node) => report(node, { what: 'the clock' }),
    'MemberExpression[object.name="Date"][property.name="now"]': (node) => report(node, { what: 'the clock' }),
    'MemberExpression[object.name="Math"][property.name="random"]': (node) => report(node, { what: 'chance' }),
    'Program:exit': (node) => {
      for (const reference of context.sourceCode.getScope(node).through) {
        const { name } = reference.identifier;
        if (IMPURE_GLOBALS.has(name)) report(reference.identifier, { what: `'${name}'` });
      }
    },
  }),
);

const totalEvolve = rule(
  'evolve has no default branch: the compiler must point at an event that is not dealt with.',
  (_, report) => ({
    'FunctionDeclaration[id.name=/^evolve/] SwitchCase[test=null]': (node) => report(node),
  }),
);

const maxConstructorParams = rule(
  'A constructor takes at most four parameters: more is two classes in one.',
  (_, report) => ({
    'MethodDefinition[kind="constructor"]': (node) => node.value.params.length > 4 && report(node),
  }),
);

/** A method of a gRPC controller reads the message, calls the port and writes the response. */
const STATEMENTS = { Controller: 1, GrpcController: 3 };

const LOOP = /^(For|While|DoWhile)/;

/** With those inside loops and blocks. A statement alone behind a condition belongs to it: `if (x) throw …`. */
function statementsIn(node) {
  if (node.type === 'BlockStatement') return node.body.reduce((sum, one) => sum + statementsIn(one), 0);
  if (LOOP.test(node.type)) return 1 + statementsIn(node.body);
  const blocks = [node.consequent, node.alternate, node.block, node.handler?.body, node.finalizer];
  return blocks.reduce((sum, one) => sum + (one?.type === 'BlockStatement' ? statementsIn(one) : 0), 1);
}

const thinController = rule(
  'A method of a controller has at most {{most}} statement(s), with those in loops: pipes read the request, a handler holds the rule, a function writes the answer.',
  (_, report) => ({
    'ClassDeclaration > ClassBody > MethodDefinition[kind!="constructor"]': (node) => {
      const decorators = node.parent.parent.decorators ?? [];
      const most = decorators.map(({ expression }) => STATEMENTS[expression.callee?.name]).find(Number.isInteger);
      if (most !== undefined && node.value.body && statementsIn(node.value.body) > most) report(node.key, { most });
    },
  }),
);

const noPatternInMatch = rule(
  'toMatchObject takes a pattern for an object without keys, which everything matches. Use expect.stringMatching.',
  (_, report) => ({
    "CallExpression[callee.property.name='toMatchObject'] :matches(Property, ArrayExpression) > Literal[regex]": (
      node,
    ) => report(node),
  }),
);

const noFieldInjection = rule(
  'Nothing is injected into fields: they hide how many things a class needs. Use the constructor, or a factory provider.',
  (_, report) => ({
    'PropertyDefinition > Decorator[expression.callee.name="Inject"]': (node) => report(node),
  }),
);

const noModuleMock = rule(
  'No module mocks: what we own is run for real, what we do not own has a recorded fake server.',
  (_, report) => ({
    'CallExpression[callee.object.name="vi"][callee.property.name=/^(mock|doMock|hoisted)$/]': (node) => report(node),
  }),
);

/** `listen` is a word of ours too: that of a server takes a port first. */
const noServerInUnitSpec = rule(
  'A unit spec opens no server and starts no process: one that does is an .int.spec.ts.',
  (_, report) => ({
    'ImportDeclaration[importKind!="type"][source.value=/^(node:)?child_process$/]': (node) => report(node),
    'ImportSpecifier[imported.name=/^create(Secure)?Server$/]': (node) => report(node),
    'MemberExpression[property.name=/^create(Secure)?Server$/]': (node) => report(node),
    'CallExpression[callee.property.name="listen"][arguments.0.type="Literal"]': (node) => report(node),
  }),
);

const noThrownRefusal = rule(
  'A handler behind a port returns its refusal as an Answer (ADR 0058); a pipe may throw one.',
  (_, report) => ({
    'NewExpression[callee.name="RejectionError"]': (node) => report(node),
    'ThrowStatement > CallExpression[callee.name=/Refusal$/]': (node) => report(node),
  }),
);

export const heddleRules = {
  'max-constructor-params': maxConstructorParams,
  'thin-controller': thinController,
  'no-pattern-in-match': noPatternInMatch,
  'no-field-injection': noFieldInjection,
  'no-export-all': noExportAll,
  'no-reexport': noReexport,
  'no-default-export': noDefaultExport,
  'no-forward-ref': noForwardRef,
  'no-deep-import': noDeepImport,
  'no-vague-name': noVagueName,
  'no-inner-index': noInnerIndex,
  'pure-domain': pureDomain,
  'total-evolve': totalEvolve,
  'no-module-mock': noModuleMock,
  'no-server-in-unit-spec': noServerInUnitSpec,
  'no-thrown-refusal': noThrownRefusal,
};

const packages = new Map();

/** The folder of the package.json that a file belongs to, or null. */
function packageOf(path) {
  const folder = dirname(path);
  if (packages.has(folder)) return packages.get(folder);
  const found = existsSync(join(folder, 'package.json'))
    ? folder
    : folder === dirname(folder)
      ? null
      : packageOf(folder);
  packages.set(folder, found);
  return found;
}
