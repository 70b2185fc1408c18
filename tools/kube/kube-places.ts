// Folders of one development cluster, all below one.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface KubePlaces {
  readonly root: string;
  /** Kept with --keep-data: certificates, etcd, and the data of the servers. */
  readonly kept: string;
  readonly certificates: string;
  readonly etcd: string;
  /** Of the servers outside of the cluster: PostgreSQL, Kafka and S3. */
  readonly servers: string;
  readonly database: string;
  /** One file for each process that runs. */
  readonly processes: string;
  readonly logs: string;
  readonly configs: string;
  readonly adminKubeconfig: string;
}

export function kubePlaces(root: string): KubePlaces {
  const kept = join(root, 'kept');
  return {
    root,
    kept,
    certificates: join(kept, 'certificates'),
    etcd: join(kept, 'etcd'),
    servers: join(kept, 'servers'),
    database: join(kept, 'servers', 'database'),
    processes: join(root, 'processes'),
    logs: join(root, 'logs'),
    configs: join(root, 'configs'),
    adminKubeconfig: join(root, 'admin.kubeconfig'),
  };
}

/** Only its owner may read keys and data. */
export function makeKubePlaces(places: KubePlaces): void {
  const { root, kept, certificates, etcd, processes, logs, configs } = places;
  for (const folder of [root, kept, certificates, etcd, processes, logs, configs])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
}
