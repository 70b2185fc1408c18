import { orNamed } from '../api/api-error.js';
import type { JsonRecord } from '../api/wire.js';
import { versionPath } from './node-name.js';
import { readAsMember } from './read-as-member.js';
import { recordIn, recordsIn } from './registry-answers.js';
import type { RegistryCall } from './registry-command.js';

const PAGE = 100;

/** A version, and its node classes as the registry answers them, page after page. */
interface ReadClasses {
  readonly version: JsonRecord;
  readonly classes: readonly JsonRecord[];
}

/** As a member of the node's publisher, who sees versions that wait. */
export async function readClasses(
  call: Pick<RegistryCall, 'registry' | 'env' | 'terminal'>,
  nodeId: string,
  version: string,
): Promise<ReadClasses> {
  const path = versionPath(nodeId, version);
  const read = readAsMember(call, nodeId, async (as) => {
    const get = async (at: string): Promise<JsonRecord> => recordIn(await call.registry.call('GET', at, { as }));
    const shown = await get(path);
    const classes: JsonRecord[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const part = await get(`${path}/wf-nodes?page=${page}&limit=${PAGE}`);
      classes.push(...recordsIn(part['wf_nodes']));
      pages = Number(part['totalNumberOfPages']);
    }
    return { version: shown, classes };
  });
  const step = `heddle registry versions ${nodeId} lists the versions`;
  return await orNamed(read, `version ${nodeId}@${version} does not exist, or is not visible to you`, step);
}
