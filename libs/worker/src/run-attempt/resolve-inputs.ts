import type { JobInput, JobLease, WorkerAssetsPort } from '@heddle/contracts-messages';
import type { EngineFile } from '@heddle/engine-port';
import { locateInputs, replaceSpans } from '@heddle/workflow-graph';
import type { Catalogue } from '@heddle/workflow-graph';

interface ResolvedInputs {
  /** The workflow with every reference replaced by its file name. */
  readonly workflow: Uint8Array;
  /** One file per distinct content. */
  readonly files: readonly EngineFile[];
}

/**
 * Replaces asset references and file names of the leased workflow with content-derived file names, so that equal bytes
 * are sent once and no client's name reaches the engine's folders. Everything else stays byte for byte.
 */
export async function resolveInputs(
  lease: JobLease,
  assets: Pick<WorkerAssetsPort, 'openInput'>,
  catalogue: () => Promise<Catalogue>,
): Promise<ResolvedInputs> {
  if (lease.inputs.length === 0) return { workflow: lease.workflow, files: [] };
  const byId = new Map(lease.inputs.map((input) => [input.assetId as string, input]));
  const byName = new Map(lease.inputs.flatMap((input) => (input.name === null ? [] : [[input.name, input] as const])));
  const files = new Map<string, EngineFile>();
  const replacements = locateInputs(lease.workflow, await catalogue()).flatMap(({ span, assetId, name }) => {
    const input = assetId === null ? byName.get(name ?? '') : byId.get(assetId);
    if (input === undefined) return [];
    const fileName = engineName(input);
    files.set(fileName, {
      name: fileName,
      sizeBytes: input.sizeBytes,
      open: () => assets.openInput(lease, input.assetId),
    });
    return [{ ...span, text: JSON.stringify(fileName) }];
  });
  return { workflow: replaceSpans(lease.workflow, replacements), files: [...files.values()] };
}

/** `heddle/<hex of the hash><extension>`: safe by construction; the extension shows the kind to the engine. */
function engineName(input: JobInput): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(input.filePath)?.[0].toLowerCase() ?? '';
  return `heddle/${input.hash.replace(/^blake3:/, '')}${extension}`;
}
