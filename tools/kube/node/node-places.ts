import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders and files of the real node, all below one folder. */
export interface NodePlaces {
  readonly root: string;
  /** Links to the programs: containerd and its plugins look for each other in one folder. */
  readonly programs: string;
  readonly containerd: string;
  readonly socket: string;
  readonly network: string;
  readonly kubelet: string;
  readonly images: string;
  /** What the machine had before the start. */
  readonly before: string;
}

export function nodePlaces(clusterRoot: string): NodePlaces {
  const root = join(clusterRoot, 'node');
  return {
    root,
    programs: join(root, 'programs'),
    containerd: join(root, 'containerd'),
    socket: join(root, 'containerd.sock'),
    network: join(root, 'network'),
    kubelet: join(root, 'kubelet'),
    images: join(root, 'images'),
    before: join(root, 'before.json'),
  };
}

export function makeNodePlaces({ root, programs, containerd, network, kubelet, images }: NodePlaces): void {
  // Users of the containers must be able to pass through the folders above their files.
  for (const folder of [root, programs, containerd, network, kubelet, images])
    mkdirSync(folder, { recursive: true, mode: 0o711 });
}
