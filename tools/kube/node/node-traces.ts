// What a real node leaves outside of its folder: kernel settings, an address, nft tables, control groups, and folders that
// programs make at fixed places. All of it is removed, also after a killed launcher.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { POLICY_TABLE } from '../network/nft-ruleset.ts';
import { toolEnding, toolOutput } from '../run-tool.ts';
import { makeControlGroups, removeControlGroups } from './control-groups.ts';
import { machineSettings, restoreSettings, type MachineSettings } from './machine-settings.ts';
import { mountsBelow } from './mounts.ts';
import { NODE_ADDRESS } from './node-addresses.ts';
import type { NodePlaces } from './node-places.ts';
import { killPodProcesses } from './pod-processes.ts';

const ADDRESS = [`${NODE_ADDRESS}/32`, 'dev', 'lo'];
/** Sockets of shims, results of network plugins, links to the logs of containers. */
const FIXED_FOLDERS = ['/run/containerd', '/var/lib/cni', '/var/log/containers', '/var/log/pods', '/run/netns'];
const TABLES = [['ip', 'kube-proxy'], ['ip6', 'kube-proxy'], POLICY_TABLE];

interface Before {
  readonly settings: MachineSettings;
  /** Of the fixed folders, those that were not there. */
  readonly absent: readonly string[];
}

/** Notes what the machine has, and gives it the address and the control group of the node. */
export async function prepareMachine(places: NodePlaces): Promise<void> {
  const addresses = await toolOutput('ip', ['-o', 'addr', 'show']);
  if (addresses.includes(` ${NODE_ADDRESS}/`))
    throw new Error(`${NODE_ADDRESS} is taken: another cluster with a real node runs on this machine; stop it there`);
  const absent = FIXED_FOLDERS.filter((folder) => !existsSync(folder));
  const before: Before = { settings: machineSettings(), absent };
  writeFileSync(places.before, JSON.stringify(before));
  await toolOutput('ip', ['addr', 'add', ...ADDRESS]);
  makeControlGroups();
}

/** Removes what is left; the processes of the node itself must have ended. Returns what was removed, in words. */
export async function removeNodeTraces(places: NodePlaces): Promise<string[]> {
  if (!existsSync(places.before)) return [];
  const { settings, absent } = JSON.parse(readFileSync(places.before, 'utf8')) as Before;
  const removed: string[] = [];
  const note = (count: number, what: string): void => {
    if (count > 0) removed.push(`${count} ${what}`);
  };
  note(await killPodProcesses(places.socket), 'processes of pods');
  note(await unmountAll(places.root), 'mounts');
  note(removeControlGroups(), 'control groups');
  for (const [family = '', table = ''] of TABLES)
    if ((await toolEnding('nft', ['delete', 'table', family, table])).code === 0)
      removed.push(`nft table ${family} ${table}`);
  if ((await toolEnding('ip', ['addr', 'del', ...ADDRESS])).code === 0) removed.push(`address ${NODE_ADDRESS}`);
  removed.push(...restoreSettings(settings).map((name) => `change of ${name}`));
  for (const folder of absent.filter((one) => existsSync(one))) {
    rmSync(folder, { recursive: true, force: true });
    removed.push(`folder ${folder}`);
  }
  rmSync(places.root, { recursive: true, force: true });
  return removed;
}

/** A mount may become free only after the process that used it has ended. */
async function unmountAll(folder: string): Promise<number> {
  const mounts = mountsBelow(folder);
  for (const mount of mounts) {
    const { code } = await toolEnding('umount', [mount]);
    if (code !== 0) await toolEnding('umount', ['--lazy', mount]);
  }
  const left = mountsBelow(folder);
  if (left.length > 0) throw new Error(`still mounted: ${left.join(', ')}; unmount them, then run --down again`);
  return mounts.length;
}
