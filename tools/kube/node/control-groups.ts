// The control group of the pods. A system of version 1 has one tree for each controller.
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_GROUP } from './node-addresses.ts';

const CONTROL_GROUPS = '/sys/fs/cgroup';
/**
 * In version 1 a group counts as one process beside those outside of any group, so all pods together would get as much CPU as
 * one of the compilers of a build beside them. They count as many as there are pods of both releases.
 */
const SHARES = 20 * 1_024;

/** Makes the group in every tree: kubelet demands that it is there. */
export function makeControlGroups(root = CONTROL_GROUPS): void {
  for (const tree of treesIn(root)) {
    const group = join(tree, CONTROL_GROUP);
    mkdirSync(group, { recursive: true });
    const shares = join(group, 'cpu.shares');
    if (existsSync(shares)) writeFileSync(shares, String(SHARES));
  }
}

/** Removes the groups, the deepest first; returns how many there were. */
export function removeControlGroups(root = CONTROL_GROUPS): number {
  const trees = [root, ...foldersIn(root).map((name) => join(root, name))];
  return trees.reduce((sum, tree) => sum + removeTree(join(tree, CONTROL_GROUP)), 0);
}

/** Of version 1 those with processes, else the only one. */
function treesIn(root: string): string[] {
  const version1 = foldersIn(root)
    .map((name) => join(root, name))
    .filter((tree) => existsSync(join(tree, 'tasks')));
  return version1.length === 0 ? [root] : version1;
}

function removeTree(folder: string): number {
  let removed = 0;
  for (const name of foldersIn(folder)) removed += removeTree(join(folder, name));
  try {
    rmdirSync(folder);
    return removed + 1;
  } catch {
    return removed;
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  } catch {
    return [];
  }
}
