import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseVersion } from '@heddle/registry-domain';
import { orNamed } from '../api/api-error.js';
import type { JsonRecord } from '../api/wire.js';
import { CliFailure, EXIT, failed, wrongUsage } from '../failure.js';
import { nodeName, nodePath, SEARCH_STEP, versionPath } from '../registry/node-name.js';
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
    // Before the registry counts a download; the answer may spell the id in another way.
    const overwrite = options.on('overwrite');
    if (!overwrite) await assertFree(join(resolve(into), name.nodeId));
    if (!options.on('allow-flagged')) await assertNotFlagged(registry, name);
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

/** The version to install, which the registry counts as a download. */
async function chosen(registry: RegistryClient, { nodeId, version }: NodeName): Promise<JsonRecord> {
  const query = version === null ? '' : `?version=${encodeURIComponent(version)}`;
  const answer = registry.call('GET', `${nodePath(nodeId)}/install${query}`);
  const found = await orNotThere(answer, { nodeId, version });
  return asAsked(recordIn(found), { nodeId, version });
}

/** The id becomes the name of a folder, and the signature is that of this name. */
function asAsked(found: JsonRecord, { nodeId, version }: NodeName): JsonRecord {
  const number = parseVersion(textIn(found, 'version'));
  const isNode = textIn(found, 'node_id').toLowerCase() === nodeId.toLowerCase();
  if (isNode && number !== null && (version === null || number.text === version)) return found;
  throw failed(`the registry answered another version, ${fullName(found)}`, 'nothing was installed');
}

/** Without a version the registry chooses an active one. */
async function assertNotFlagged(registry: RegistryClient, { nodeId, version }: NodeName): Promise<void> {
  if (version === null) return;
  const answer = registry.call('GET', versionPath(nodeId, version));
  const found = await orNotThere(answer, { nodeId, version });
  if (statusOf(recordIn(found)) !== 'flagged') return;
  const step = `heddle registry status ${nodeId}@${version} shows what the scan found; --allow-flagged installs it`;
  throw failed(`${nodeId}@${version} is flagged and waits for a review`, step);
}

/** A node may be there without an active version: its versions say what can be installed. */
async function orNotThere(answer: Promise<unknown>, { nodeId, version }: NodeName): Promise<unknown> {
  const asked = version === null ? `active version of ${nodeId}` : `version ${nodeId}@${version}`;
  const step = `heddle registry versions ${nodeId} lists the versions of the node; ${SEARCH_STEP}`;
  return await orNamed(answer, `no ${asked} to install here`, step);
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
