import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseVersion } from '@heddle/registry-domain';
import { ApiError, orNamed } from '../api/api-error.js';
import type { JsonRecord } from '../api/wire.js';
import { CliFailure, codedFailure, EXIT, failed, wrongUsage } from '../failure.js';
import { nodeName, nodePath, SEARCH_STEP } from '../registry/node-name.js';
import type { NodeName } from '../registry/node-name.js';
import { recordIn, textIn } from '../registry/registry-answers.js';
import type { RegistryClient } from '../registry/registry-client.js';
import { registryCommand } from '../registry/registry-command.js';
import { plainText } from '../terminal/plain-text.js';
import { fullName, statusOf } from '../registry/render-version.js';
import { assertOutputFolder, makeFolder } from '../run-workflow/output-folder.js';
import { counted } from '../terminal/quantities.js';
import { downloadArchive } from './download-archive.js';
import { verifySignature } from './verify-signature.js';

export const installCommand = registryCommand({
  name: 'registry install',
  summary: 'download a package, check its digest and signature, and unpack it; nothing of it is run',
  words: 'NODE[@VERSION]',
  options: {
    into: { value: 'DIR', meaning: 'folder of packages; the package becomes the folder of its id there' },
    overwrite: { value: null, meaning: 'replace the package that is there, once the new one is unpacked' },
    'allow-flagged': { value: null, meaning: 'take a version in which the scan found something' },
  },
  examples: [
    'heddle registry install image-tools --into custom_nodes',
    'heddle registry install image-tools --into custom_nodes --overwrite',
    'heddle registry install image-tools@1.2.0 --into custom_nodes --json | jq -r .path',
  ],
  async run({ words, options, terminal, registry }) {
    const name = nodeName(words, 'registry install');
    const into = options.text('into');
    if (into === null) throw wrongUsage('--into is missing', `heddle registry install ${words.join(' ')} --into DIR`);
    await assertOutputFolder(into, 'into');
    // What is not there is said before a folder that is in the way, and both before the registry counts a download.
    const found = await chosen(registry, name, true);
    if (!options.on('allow-flagged')) assertNotFlagged(found);
    const overwrite = options.on('overwrite');
    if (!overwrite) await assertFree(join(resolve(into), textIn(found, 'node_id')));
    const version = await chosen(registry, name);
    const target = join(resolve(into), textIn(version, 'node_id'));
    if (!overwrite) await assertFree(target);
    await verifySignature(registry, version);
    await makeFolder(resolve(into));
    // Beside the target, so that a rename makes a whole package appear at once.
    const work = join(resolve(into), `.heddle-${randomUUID()}`);
    await mkdir(work, { mode: 0o700 });
    try {
      await downloadArchive(registry, version, join(work, 'archive'), terminal);
      const files = await unpack(join(work, 'archive'), join(work, 'package'));
      if (overwrite) await swap(join(work, 'package'), target, join(work, 'replaced'));
      else await moveTo(join(work, 'package'), target);
      const { node_id, version: number, sha256 } = version;
      terminal.printJson({ node_id, version: number, sha256, path: target, files });
      if (!terminal.json) terminal.print(`${fullName(version)}: ${counted(files, 'file')} in ${target}`);
      if (version['deprecated'] === true)
        terminal.say(
          `heddle: its publisher advises against this version: ${plainText(textIn(version, 'deprecated_reason'))}`,
        );
      return EXIT.done;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
});

/** The version to install, which the registry counts as a download, but for a dry run. */
async function chosen(registry: RegistryClient, name: NodeName, isDryRun = false): Promise<JsonRecord> {
  const { nodeId, version } = name;
  const query = version === null ? '' : `?version=${encodeURIComponent(version)}`;
  const headers: Record<string, string> = isDryRun ? { 'x-install-dry-run': '1' } : {};
  const answer = registry.send('GET', `${nodePath(nodeId)}/install${query}`, { headers });
  const { body } = await orNotThere(registry, answer, name);
  return asAsked(recordIn(body), name);
}

/** The id becomes the name of a folder, and the signature is that of this name. */
function asAsked(found: JsonRecord, { nodeId, version }: NodeName): JsonRecord {
  const number = parseVersion(textIn(found, 'version'));
  const isNode = textIn(found, 'node_id').toLowerCase() === nodeId.toLowerCase();
  if (isNode && number !== null && (version === null || number.text === version)) return found;
  throw failed(`the registry answered another version, ${fullName(found)}`, 'nothing was installed');
}

/** Without a version the registry chooses an active one. */
function assertNotFlagged(found: JsonRecord): void {
  if (statusOf(found) !== 'flagged') return;
  const name = fullName(found);
  const step = `heddle registry status ${name} shows what the scan found; --allow-flagged installs it`;
  throw failed(`${name} is flagged and waits for a review`, step);
}

/** A node may be there without an active version: its versions say what can be installed. */
async function orNotThere<T>(registry: RegistryClient, answer: Promise<T>, { nodeId, version }: NodeName): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    await orNamed(registry.call('GET', nodePath(nodeId)), `no node ${nodeId} here`, SEARCH_STEP);
    const asked = version === null ? `active version of ${nodeId}` : `version ${nodeId}@${version}`;
    const step = `heddle registry versions ${nodeId} lists the versions of the node`;
    throw codedFailure(error.code, `no ${asked} can be installed from this registry`, EXIT.failed, step);
  }
}

async function assertFree(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0)
    throw wrongUsage(
      `${target} is there and not empty`,
      '--overwrite replaces it; or choose another folder with --into',
    );
}

/** An empty folder gives way; one that was filled meanwhile does not. */
async function moveTo(made: string, target: string): Promise<void> {
  await rmdir(target).catch(() => undefined);
  await rename(made, target);
}

/** The old package is put aside, and put back where the new one cannot take its place. */
async function swap(made: string, target: string, aside: string): Promise<void> {
  const isThere = await rename(target, aside).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await rename(made, target);
  } catch (error) {
    if (isThere) await rename(aside, target);
    throw error;
  }
}

async function unpack(archive: string, folder: string): Promise<number> {
  const { unpackArchive } = await import('@heddle/registry-inspection');
  const unpacked = await unpackArchive(archive, folder);
  if (unpacked.accepted) return unpacked.files;
  throw new CliFailure(unpacked.problem, EXIT.failed, 'nothing was installed; tell the operator of the registry');
}
