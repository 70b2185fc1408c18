/** What `npm run kube` does. */
export type KubeAction = 'run' | 'detach' | 'down' | 'help';

export interface KubeCommand {
  readonly action: KubeAction;
  /** Leaves etcd and the certificates at the end. */
  readonly keepData: boolean;
}

/** A command line that has to be written in another way. */
export class KubeUsageError extends Error {
  override readonly name = 'KubeUsageError';
}

const ACTIONS: Readonly<Record<string, KubeAction>> = { '--detach': 'detach', '--down': 'down', '--help': 'help' };

export const HELP = `Starts a Kubernetes control plane on this machine without docker, with simulated nodes, and installs both charts on it.
Ctrl-C stops it and removes every trace.

  --detach      return when it is ready, and leave it running
  --down        stop a cluster, whoever started it, and remove every trace
  --simulated   nodes that only say that pods run: no root needed, no image, no job; there is no other kind yet
  --keep-data   keep etcd for the next start
  --help        this text

Needs Linux, Go and openssl.
kubectl reads .cache/kube/admin.kubeconfig. The namespace is heddle, the releases are heddle and demo.
`;

/** Throws KubeUsageError. */
export function readKubeCommand(words: readonly string[]): KubeCommand {
  let action: KubeAction = 'run';
  let [simulated, keepData] = [false, false];
  for (const word of words) {
    const asked = ACTIONS[word];
    if (word === '--simulated') simulated = true;
    else if (word === '--keep-data') keepData = true;
    else if (asked === undefined) throw new KubeUsageError(`"${word}" is not an option; --help lists them`);
    else if (action !== 'run' && action !== asked)
      throw new KubeUsageError(`--${action} and ${word} exclude each other: give one of them`);
    else action = asked;
  }
  if (simulated && action === 'down') throw new KubeUsageError('--down stops every kind; remove --simulated');
  if (!simulated && (action === 'run' || action === 'detach'))
    throw new KubeUsageError('there is no real node yet; give --simulated');
  return { action, keepData };
}
