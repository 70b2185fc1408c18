// Gives every package, and the folders `tools` and `test`, its cached targets: Nx loads this file as a plugin.
import { dirname } from 'node:path';

/** Dependencies of every spec outside its project: its runner, and the database server of the run. */
const RUNNER = [
  '{workspaceRoot}/vitest.config.ts',
  '{workspaceRoot}/package-lock.json',
  '{workspaceRoot}/tools/*.ts',
  '{workspaceRoot}/tools/nx/*',
  '{workspaceRoot}/libs/testing/database/src/**/*',
  '{workspaceRoot}/libs/platform/database/src/**/*',
  // Some specs are skipped for users other than root, or on other systems.
  { runtime: 'id -u && uname -s' },
];

const RULES = ['{workspaceRoot}/*.{ts,mjs}', '{workspaceRoot}/nx.json', '{workspaceRoot}/tools/{lint,nx}/*'];

interface Target {
  readonly executor: string;
  readonly cache: true;
  readonly inputs: readonly unknown[];
  readonly outputs?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly options?: Readonly<Record<string, string>>;
}

function specs(part: string): Target {
  return {
    executor: './tools/nx/manifest:specs',
    cache: true,
    dependsOn: ['build', '^build'],
    inputs: ['default', '^production', 'pages', ...RUNNER],
    outputs: [`{workspaceRoot}/.cache/test-reports/${part}/{projectName}.json`],
    options: { part },
  };
}

const ESLINT: Target = {
  executor: './tools/nx/manifest:eslint',
  cache: true,
  inputs: ['default', '^production', ...RULES],
};

/** `tsc -b` builds a project's references itself, and one call builds all requested projects. */
const BUILD: Target = {
  executor: './tools/nx/manifest:build',
  cache: true,
  inputs: ['production', '^production'],
  outputs: ['{projectRoot}/dist'],
};

export function targetsOf(manifest: string): Readonly<Record<string, Target>> {
  const checked = { eslint: ESLINT, unit: specs('unit'), int: specs('int') };
  return manifest.endsWith('project.json') ? checked : { build: BUILD, ...checked };
}

type Made = readonly [string, { projects: Record<string, { targets: Readonly<Record<string, Target>> }> }];

export const createNodesV2 = [
  '{apps/**/package.json,libs/**/package.json,tools/project.json,test/project.json}',
  (manifests: readonly string[]): readonly Made[] =>
    manifests.map((path) => [path, { projects: { [dirname(path)]: { targets: targetsOf(path) } } }]),
] as const;
