// Kernel settings that kubelet, the network plugin and kube-proxy change. They are noted before the start and set back.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = [
  'kernel/keys/root_maxbytes',
  'kernel/keys/root_maxkeys',
  'kernel/panic',
  'kernel/panic_on_oops',
  'net/ipv4/conf/all/route_localnet',
  'net/ipv4/ip_forward',
  'net/ipv6/conf/all/forwarding',
  'net/netfilter/nf_conntrack_max',
  'net/netfilter/nf_conntrack_tcp_be_liberal',
  'net/netfilter/nf_conntrack_tcp_timeout_close_wait',
  'net/netfilter/nf_conntrack_tcp_timeout_established',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
];
const KERNEL = '/proc/sys';

export type MachineSettings = Readonly<Record<string, string>>;

export function machineSettings(kernel = KERNEL): MachineSettings {
  const there = NAMES.filter((name) => existsSync(join(kernel, name)));
  return Object.fromEntries(there.map((name) => [name, valueOf(kernel, name)]));
}

/** Returns the names of the settings that had another value. */
export function restoreSettings(before: MachineSettings, kernel = KERNEL): string[] {
  const changed = Object.entries(before).filter(
    ([name, value]) => existsSync(join(kernel, name)) && valueOf(kernel, name) !== value,
  );
  for (const [name, value] of changed) writeFileSync(join(kernel, name), value);
  return changed.map(([name]) => name.replaceAll('/', '.'));
}

const valueOf = (kernel: string, name: string): string => readFileSync(join(kernel, name), 'utf8').trim();
