#!/usr/bin/env node
// Applies `patches/<package>@<version>.patch` to the installed npm packages: `node tools/apply-patches.mjs`. The
// launcher runs it right after `npm ci`, so it may import only Node's own modules.
import { readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Patches every package that has a patch, and returns what changed. Does nothing if all are patched. */
export function applyPatches(root = ROOT) {
  return patchesOf(root).flatMap((patch) => {
    const files = patchedFiles(root, patch);
    for (const { path, patched, mode } of files) replaceFile(path, patched, mode);
    return files.length === 0 ? [] : [`${patch.name}@${patch.version}: patched ${files.length} files`];
  });
}

/** Installed packages that do not match their patch, one line each. */
export function patchProblems(root = ROOT) {
  return patchesOf(root).flatMap((patch) => {
    try {
      const files = patchedFiles(root, patch);
      return files.map(({ path }) => `${path} is not patched: run "node tools/apply-patches.mjs"`);
    } catch (error) {
      return [error.message];
    }
  });
}

/** The text of all patches: a launcher sets a checkout up again when it changes. */
export function patchesText(root = ROOT) {
  return patchesOf(root)
    .map(({ file, text }) => `${file}\n${text}`)
    .join('');
}

/** Names of the packages that have a patch. */
export function patchedNames(root = ROOT) {
  return patchesOf(root).map(({ name }) => name);
}

function patchesOf(root) {
  const folder = join(root, 'patches');
  return filesOf(folder).map((file) => {
    const [, name, version] = /^(.+)@([^@]+)\.patch$/.exec(file) ?? [];
    if (name === undefined) throw new Error(`patches/${file} is not named <package>@<version>.patch`);
    return { file, name: name.replace('+', '/'), version, text: readFileSync(join(folder, file), 'utf8') };
  });
}

function filesOf(folder) {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.patch'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The files to change, with their new text; none is written unless all patches apply. */
function patchedFiles(root, { file, name, version, text }) {
  const folder = join(root, 'node_modules', name);
  const installed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  if (installed !== version) {
    throw new Error(
      `patches/${file} is for ${name} ${version}, and ${installed} is installed: check what of the patch the new version needs, and rename it`,
    );
  }
  return changesOf(text).flatMap(({ path, hunks }) => {
    const whole = join(folder, path);
    const lines = readFileSync(whole, 'utf8').split('\n');
    if (hunks.every(({ newLine, added }) => matches(lines, newLine, added))) return [];
    if (!hunks.every(({ oldLine, removed }) => matches(lines, oldLine, removed))) {
      throw new Error(
        `${whole} is neither as published nor as patched by patches/${file}: run "npm ci", then try again`,
      );
    }
    // From last to first, so that line numbers stay those of the published file.
    for (const { oldLine, removed, added } of hunks.toReversed()) lines.splice(oldLine - 1, removed.length, ...added);
    return [{ path: whole, patched: lines.join('\n'), mode: statSync(whole).mode }];
  });
}

/** Parses a unified diff: the hunks of each file with their start, and the lines before and after. */
function changesOf(text) {
  const changes = [];
  for (const line of text.split('\n')) {
    const file = /^\+\+\+ b\/([^\t]+)/.exec(line);
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const { hunks } = changes.at(-1) ?? {};
    const { removed, added } = hunks?.at(-1) ?? {};
    if (file) changes.push({ path: file[1], hunks: [] });
    else if (line.startsWith('--- a/')) continue;
    else if (hunk) hunks.push({ oldLine: Number(hunk[1]), newLine: Number(hunk[2]), removed: [], added: [] });
    else {
      if (line.startsWith('-') || line.startsWith(' ')) removed.push(line.slice(1));
      if (line.startsWith('+') || line.startsWith(' ')) added.push(line.slice(1));
    }
  }
  return changes;
}

function matches(lines, from, wanted) {
  return wanted.every((line, index) => lines[from - 1 + index] === line);
}

/** By rename: the installed file may be hard-linked to a cache shared with other checkouts. */
function replaceFile(path, text, mode) {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text, { mode });
  renameSync(fresh, path);
}

const invoked = process.argv[1] === undefined ? '' : realpathSync(resolve(process.argv[1]));
if (invoked === fileURLToPath(import.meta.url)) {
  try {
    for (const line of applyPatches()) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`apply-patches: ${error.message}\n`);
    process.exitCode = 1;
  }
}
