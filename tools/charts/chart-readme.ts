// README.md of a chart: its head, and a table of the values that is made of the comments in values.yaml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { isMap, isScalar, parseDocument, stringify } from 'yaml';
import type { Node, Pair, Scalar } from 'yaml';

interface Row {
  readonly path: string;
  readonly value: string;
  readonly meaning: string;
}

/** Relative to the root. */
export const readmeOf = (chart: string): string => `charts/${chart}/README.md`;

/** The text of README.md: the head of `README.head.md`, then the table. */
export async function chartReadme(root: string, chart: string): Promise<string> {
  const folder = join(root, 'charts', chart);
  const head = readFileSync(join(folder, 'README.head.md'), 'utf8').trimEnd();
  const rows = rowsOf(readFileSync(join(folder, 'values.yaml'), 'utf8'));
  const table = [
    '| Value | Default | Meaning |',
    '| --- | --- | --- |',
    ...rows.map(({ path, value, meaning }) => `| \`${path}\` | \`${value}\` | ${meaning} |`),
  ].join('\n');
  const mark = '<!-- Generated from values.yaml: node tools/charts/write-chart-files.ts -->';
  const text = `${head}\n\n## Values\n\n${mark}\n\n${table}\n`;
  return await format(text, { ...(await resolveConfig(join(folder, 'README.md'))), parser: 'markdown' });
}

/** A row for each key with a comment that begins with `--`; @throws an Error for a value without one. */
function rowsOf(text: string): Row[] {
  const { contents } = parseDocument(text);
  const rows: Row[] = [];
  const visit = (node: Node | null, path: string): void => {
    if (!isMap(node)) throw new Error(`${path} in values.yaml has no comment that begins with --`);
    for (const pair of node.items as Pair<Scalar<string>, Node | null>[]) {
      // The parser gives the comment before a map's first key to the map.
      const comment = pair.key.commentBefore ?? (pair === node.items[0] ? node.commentBefore : undefined) ?? '';
      const at = path === '' ? pair.key.value : `${path}.${pair.key.value}`;
      const isGroup = isMap(pair.value) && pair.value.items.length > 0 && pair.value.flow !== true;
      const meaning = / -- ([^]*)$/.exec(` ${comment.replaceAll('\n', ' ').replaceAll(/ +/g, ' ')}`)?.[1]?.trim();
      if (meaning === undefined || (isGroup && !isLeaf(at))) {
        visit(pair.value, at);
      } else rows.push({ path: at, value: shown(pair.value), meaning: meaning.replaceAll('|', '\\|') });
    }
  };
  visit(contents as Node | null, '');
  return rows;
}

/** Objects of Kubernetes are one value. */
const isLeaf = (path: string): boolean => path.endsWith('.resources');

function shown(node: Node | null): string {
  const value = isScalar(node) ? node.value : node === null ? null : (node.toJSON() as unknown);
  return typeof value === 'string'
    ? JSON.stringify(value)
    : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}
