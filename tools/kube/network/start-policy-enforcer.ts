import { setTimeout as delay } from 'node:timers/promises';
import type { KubeApi } from '../control-plane/kube-api.ts';
import { programOnPath } from '../prerequisites.ts';
import { toolOutput } from '../run-tool.ts';
import type { NetworkNamespace, NetworkObjects, NetworkPod, NetworkPolicy } from './network-objects.ts';
import { nftRuleset, WITHOUT_POLICIES } from './nft-ruleset.ts';
import { dnsPod, policyChains } from './policy-chains.ts';

export interface EnforcerPlan {
  readonly api: Pick<KubeApi, 'ask'>;
  /** Where the host answers for the cluster's DNS */
  readonly dnsAddress: string;
  readonly say: (line: string) => void;
  /** Applies a ruleset; by default with `nft` on this host, which needs root. */
  readonly apply?: (ruleset: string) => Promise<void>;
}

export interface PolicyEnforcer {
  /** Stops, and lets every connection through again. */
  stop(): Promise<void>;
}

/** A pod that has just started is open to all for this long. */
const POLL_MS = 500;

/**
 * Enforces the NetworkPolicies of a cluster whose pods are reached by routes of this host, as with the CNI plugin `ptp`.
 * Kubernetes stores policies and leaves them to the network, and that plugin enforces none.
 *
 * Resolves when the present policies hold.
 */
export async function startPolicyEnforcer(plan: EnforcerPlan): Promise<PolicyEnforcer> {
  const { apply = applyOnHost, say } = plan;
  const stopping = new AbortController();
  let applied = '';
  const enforce = async (): Promise<void> => {
    const ruleset = await rulesetOf(plan);
    if (ruleset === applied) return;
    await apply(ruleset);
    applied = ruleset;
  };
  await enforce();
  const loop = async (): Promise<void> => {
    let said = '';
    while (!stopping.signal.aborted) {
      await delay(POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const problem = await enforce().then(
        () => '',
        (error: unknown) => `network policies are not brought up to date: ${String(error)}`,
      );
      if (problem !== '' && problem !== said) say(problem);
      said = problem;
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
      await apply(WITHOUT_POLICIES);
    },
  };
}

async function rulesetOf({ api, dnsAddress }: EnforcerPlan): Promise<string> {
  const list = async <T>(path: string): Promise<readonly T[]> => ((await api.ask('GET', path)) as { items: T[] }).items;
  const [policies, pods, namespaces] = await Promise.all([
    list<NetworkPolicy>('/apis/networking.k8s.io/v1/networkpolicies'),
    list<NetworkPod>('/api/v1/pods'),
    list<NetworkNamespace>('/api/v1/namespaces'),
  ]);
  const objects: NetworkObjects = { policies, pods: [...pods, dnsPod(dnsAddress)], namespaces };
  return nftRuleset(policyChains(objects));
}

async function applyOnHost(ruleset: string): Promise<void> {
  const nft = programOnPath('nft');
  if (nft === null) throw new Error('the program nft is missing; install the package nftables');
  await toolOutput(nft, ['-f', '-'], ruleset);
}
