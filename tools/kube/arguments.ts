/** What `npm run kube` does. */
export type KubeAction = 'run' | 'detach' | 'down' | 'help';

export interface KubeCommand {
  readonly action: KubeAction;
  /** Nodes that only say that pods run. */
  readonly simulated: boolean;
  /** KEDA scales the workers of the deployment. */
  readonly keda: boolean;
  /** Leaves etcd, the certificates and the data of the servers at the end. */
  readonly keepData: boolean;
}

/** A command line that has to be written in another way. */
export class KubeUsageError extends Error {
  override readonly name = 'KubeUsageError';
}

const ACTIONS: Readonly<Record<string, KubeAction>> = { '--detach': 'detach', '--down': 'down', '--help': 'help' };

export const HELP = `Starts a Kubernetes cluster on this machine without docker and installs both charts on it.
Its node runs pods: containerd and kubelet are processes, and PostgreSQL, Kafka and S3 run beside them.
Ctrl-C stops it and removes every trace.

  --detach      return when it is ready, and leave it running
  --down        stop a cluster, whoever started it, and remove every trace
  --simulated   nodes that only say that pods run: no root needed, no image, no server, no job
  --keda        KEDA scales the workers of the release demo from none; Prometheus scrapes the pods
  --keep-data   keep etcd and the data of the servers for the next start
  --help        this text

Needs Linux, root, Go, Java 17, Maven, openssl, iproute2, runc and nftables. Simulated nodes need Linux, Go and openssl.
The API is at http://localhost:8189, or at another port if that one is taken.
kubectl reads .cache/kube/admin.kubeconfig. The namespace is heddle, the releases are heddle and demo.
`;

/** Throws KubeUsageError. */
export function readKubeCommand(words: readonly string[]): KubeCommand {
  let action: KubeAction = 'run';
  let [simulated, keepData, keda] = [false, false, false];
  for (const word of words) {
    const asked = ACTIONS[word];
    if (word === '--simulated') simulated = true;
    else if (word === '--keep-data') keepData = true;
    else if (word === '--keda') keda = true;
    else if (asked === undefined) throw new KubeUsageError(`"${word}" is not an option; --help lists them`);
    else if (action !== 'run' && action !== asked)
      throw new KubeUsageError(`--${action} and ${word} exclude each other: give one of them`);
    else action = asked;
  }
  if (simulated && action === 'down') throw new KubeUsageError('--down stops every kind; remove --simulated');
  if (keda && simulated) throw new KubeUsageError('--keda needs pods that run; remove --simulated');
  if (keda && action === 'down') throw new KubeUsageError('--down stops every kind; remove --keda');
  return { action, simulated, keda, keepData };
}
