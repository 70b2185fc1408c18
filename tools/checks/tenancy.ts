import ts from 'typescript';
import { NOT_SHIPPED, sourceFiles } from './source-files.ts';
import { WITHOUT_ACCOUNT } from './tenancy-list.ts';
import type { ListedTexts } from './tenancy-list.ts';

/** `create table schema.name ( … )`; the columns end with a bracket at the start of a line. */
const TABLE = /create table (?:if not exists )?(\w+\.\w+) \(([\s\S]*?)\n\s*\)/g;
/** Steps of a schema serve no request. */
const SCHEMA_CHANGE = /^\s*(?:create (?:unique )?(?:table|index)|alter table|drop)\b/m;
/** Functions are called by requests, also where their text stands beside a grant. */
const FUNCTION = /create (?:or replace )?function/;
/** `${owner}` is the fragment of the list of jobs that compares account and deployment. */
const NAMES_ACCOUNT = /account_id|\bp_accounts?\b|\$\{owner\}/;

interface SqlText {
  /** Path and name of the constant or function that holds the text, such as `libs/logs/src/a.sql.ts#READ_LOG`. */
  readonly place: string;
  readonly sql: string;
}

/**
 * The second belt of tenancy (docs/decisions/0036): each SQL text over a table with an account in its rows names the
 * account, or stands on a list with a reason. It does not read SQL: a text that names the account without comparing it
 * passes, and the tenant matrix of the API has to find it.
 */
export function tenancy(root: string, listed: ListedTexts = WITHOUT_ACCOUNT): string[] {
  const texts = sqlTexts(root);
  const tables = [...tenantTables(texts)].map((name) => name.replace('.', '\\.'));
  if (tables.length === 0) return ['no table with an account was found: the check reads nothing'];
  const uses = new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:only\\s+)?(?:${tables.join('|')})\\b`);
  const found = new Set(
    texts
      .filter(
        ({ sql }) => uses.test(sql) && (FUNCTION.test(sql) || !SCHEMA_CHANGE.test(sql)) && !NAMES_ACCOUNT.test(sql),
      )
      .map(({ place }) => place),
  );
  const allowed = new Set(listed.flatMap(({ places }) => places));
  return [
    ...[...found]
      .filter((place) => !allowed.has(place))
      .map((place) => `${place} reads or changes rows of accounts and names no account: add it, or list why not`),
    ...[...allowed]
      .filter((place) => !found.has(place))
      .map((place) => `${place} is on the list of texts without an account, and needs it no more`),
  ].sort();
}

function tenantTables(texts: readonly SqlText[]): ReadonlySet<string> {
  const tables = texts.flatMap(({ sql }) => [...sql.matchAll(TABLE)]);
  return new Set(tables.filter(([, , columns]) => /\baccount_id\b/.test(columns!)).map(([, name]) => name!));
}

/** Template literals and strings of the services. */
function sqlTexts(root: string): readonly SqlText[] {
  return sourceFiles(root, ['libs'], ['.ts'])
    .filter(({ path }) => !NOT_SHIPPED.test(path) && !path.startsWith('libs/testing/'))
    .flatMap(({ path, text }) => textsOf(path, text));
}

function textsOf(path: string, source: string): SqlText[] {
  const found: SqlText[] = [];
  const visit = (node: ts.Node, around: string): void => {
    const name = nameOf(node) ?? around;
    if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
      found.push({ place: `${path}#${name}`, sql: node.getText().slice(1, -1) });
      return;
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true), '');
  return found;
}

function nameOf(node: ts.Node): string | null {
  const isNamed = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
  return isNamed && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : null;
}
