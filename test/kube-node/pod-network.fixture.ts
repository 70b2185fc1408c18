// Network namespaces as the CNI plugin ptp makes them: one for each pod, behind one that stands for the host and forwards.
// Needs root. Nothing of it is in the namespace of the machine but the names.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { toolEnding, toolOutput } from '../../tools/kube/run-tool.ts';
import { programOnPath } from '../../tools/kube/prerequisites.ts';

/** How a connection ends: it is made, refused, or nothing answers. */
export type Outcome = 'open' | 'refused' | 'timeout';

const TIMEOUT_MS = 1_000;
const HOST = 'host';
export const HOST_ADDRESS = '10.77.0.1';
/** As kube-proxy translates it in `translate`. */
export const SERVICE_ADDRESS = '10.198.0.9';

const LISTENER = `
  const servers = process.argv[1].split(',').map((port) => require('net').createServer((socket) => socket.end()).listen(port));
  Promise.all(servers.map((server) => require('events').once(server, 'listening'))).then(() => console.log('listening'));
`;
/** Program that prints how connections to `[host, port]` of its argument end. */
export const CALLER = `
  const outcomes = JSON.parse(process.argv[1]).map(([host, port]) => new Promise((done) => {
    const socket = require('net').connect({ host, port: Number(port), timeout: ${TIMEOUT_MS} });
    const end = (outcome) => { socket.destroy(); done(outcome); };
    socket.once('connect', () => end('open')).once('timeout', () => end('timeout')).once('error', () => end('refused'));
  }));
  Promise.all(outcomes).then((all) => console.log(JSON.stringify(all)));
`;

export class PodNetwork {
  readonly #prefix = `hn${process.pid}`;
  readonly #names: string[] = [];
  readonly #listeners: ChildProcess[] = [];

  static async create(): Promise<PodNetwork> {
    const network = new PodNetwork();
    await network.#ip('netns', 'add', network.#space(HOST));
    await network.#ip('-n', network.#space(HOST), 'link', 'set', 'lo', 'up');
    await network.#ip('-n', network.#space(HOST), 'address', 'add', `${HOST_ADDRESS}/32`, 'dev', 'lo');
    await network.#inside(HOST, 'sh', ['-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward']);
    return network;
  }

  /** Makes a namespace with a route to all others; resolves with its address. */
  async add(name: string, ports: readonly number[]): Promise<string> {
    const [space, host] = [this.#space(name), this.#space(HOST)];
    const number = this.#names.push(name);
    const [gateway, address] = [`10.77.${number}.1`, `10.77.${number}.2`];
    await this.#ip('netns', 'add', space);
    await this.#ip('-n', host, 'link', 'add', `pod${number}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    await this.#ip('-n', host, 'address', 'add', `${gateway}/24`, 'dev', `pod${number}`);
    await this.#ip('-n', host, 'link', 'set', `pod${number}`, 'up');
    await this.#ip('-n', space, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) await this.#ip('-n', space, 'link', 'set', device, 'up');
    await this.#ip('-n', space, 'route', 'add', 'default', 'via', gateway);
    await this.listen(name, ports);
    return address;
  }

  /** `name`: a namespace that was added, or `host`. */
  async listen(name: string, ports: readonly number[]): Promise<void> {
    const words = ['netns', 'exec', this.#space(name), process.execPath, '-e', LISTENER, ports.join()];
    const child = spawn(ip(), words, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#listeners.push(child);
    await once(child.stdout, 'data');
  }

  async outcomes(from: string, targets: readonly (readonly [address: string, port: number])[]): Promise<Outcome[]> {
    const said = await this.#inside(from, process.execPath, ['-e', CALLER, JSON.stringify(targets)]);
    return JSON.parse(said) as Outcome[];
  }

  /** Applies a ruleset on the host. */
  async apply(ruleset: string): Promise<void> {
    await this.#inside(HOST, 'nft', ['-f', '-'], ruleset);
  }

  async ruleset(): Promise<string> {
    return await this.#inside(HOST, 'nft', ['list', 'ruleset']);
  }

  /** Leads connections to the address of a Service to a pod, where kube-proxy does it. */
  async translate(port: number, to: string): Promise<void> {
    await this.apply(`table ip services {
      chain prerouting {
        type nat hook prerouting priority dstnat;
        ip daddr ${SERVICE_ADDRESS} tcp dport ${port} dnat to ${to}:${port}
      }
    }`);
  }

  async remove(): Promise<void> {
    for (const child of this.#listeners) child.kill('SIGKILL');
    for (const name of [...this.#names, HOST]) await toolEnding(ip(), ['netns', 'delete', this.#space(name)]);
  }

  #space = (name: string): string => `${this.#prefix}-${name}`;

  async #inside(name: string, program: string, args: readonly string[], input = ''): Promise<string> {
    return await toolOutput(ip(), ['netns', 'exec', this.#space(name), program, ...args], input);
  }

  async #ip(...args: readonly string[]): Promise<void> {
    await toolOutput(ip(), args);
  }
}

function ip(): string {
  const found = programOnPath('ip');
  if (found === null) throw new Error('the program ip is missing; install the package iproute2');
  return found;
}
