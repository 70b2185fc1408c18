import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { KubeProcess } from '../processes/kube-process.ts';
import type { Endpoint } from './tcp-forward.ts';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));

export interface ForwardedAddress {
  readonly at: Endpoint;
  readonly to: Endpoint;
}

/** Passes every connection to each `at` on to its `to`, in a process of its own. */
export async function startForward(
  name: string,
  pairs: readonly ForwardedAddress[],
  folders: { readonly processes: string; readonly logs: string },
): Promise<KubeProcess> {
  const isReady = async (): Promise<boolean> => {
    const open = await Promise.all(pairs.map(async ({ at }) => await accepts(at)));
    return open.every((one) => one);
  };
  const args = [PROGRAM, JSON.stringify(pairs)];
  return await KubeProcess.start({ name, program: process.execPath, args, isReady }, folders);
}

async function accepts(endpoint: Endpoint): Promise<boolean> {
  const socket = connect(endpoint);
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
