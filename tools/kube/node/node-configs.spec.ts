import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { containerdConfig } from './containerd-config.ts';
import { coreFile } from './core-file.ts';
import { kubeProxyConfig } from './kube-proxy-config.ts';
import { kubeletConfig, kubeletFlags } from './kubelet-config.ts';
import { networkConfig } from './network-config.ts';
import { NODE_ADDRESS, NODE_NAME } from './node-addresses.ts';
import { nodePlaces } from './node-places.ts';

const PLACES = nodePlaces('/cluster');

describe('the configuration of containerd', () => {
  const text = containerdConfig({ places: PLACES, runc: '/usr/sbin/runc', pauseImage: 'pause:v1' });

  it('is TOML, and names the programs and the first image of each pod', () => {
    const { plugins } = parse(text) as { readonly plugins: Record<string, unknown> };
    expect(plugins['io.containerd.cri.v1.images']).toMatchObject({ pinned_images: { sandbox: 'pause:v1' } });
    expect(plugins['io.containerd.cri.v1.runtime']).toMatchObject({
      restrict_oom_score_adj: true,
      cni: { bin_dirs: ['/cluster/node/programs'], conf_dir: '/cluster/node/network' },
      containerd: { runtimes: { runc: { options: { BinaryName: '/usr/sbin/runc', SystemdCgroup: false } } } },
    });
  });

  it('keeps every file below the folder of the node', () => {
    const paths = [...text.matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => path !== '/usr/sbin/runc' && path?.startsWith('/cluster/node/') !== true)).toEqual(
      [],
    );
  });
});

describe('the configuration of kubelet', () => {
  const config = kubeletConfig({ places: PLACES, port: 1, healthPort: 2, authority: '/ca.crt' });

  it('touches no table of the machine, and takes no caller without a certificate', () => {
    expect(config).toMatchObject({
      makeIPTablesUtilChains: false,
      readOnlyPort: 0,
      authentication: { anonymous: { enabled: false }, x509: { clientCAFile: '/ca.crt' } },
    });
  });

  it('removes no image, as none can be pulled again', () => {
    expect(config).toMatchObject({ imageGCHighThresholdPercent: 100 });
  });

  it('is at the address by which pods reach the machine, where they also ask for names', () => {
    expect(config).toMatchObject({ address: NODE_ADDRESS, clusterDNS: [NODE_ADDRESS] });
    const flags = kubeletFlags(PLACES, { config: '/c', kubeconfig: '/k' });
    expect(flags).toContain(`--node-ip=${NODE_ADDRESS}`);
    expect(coreFile('/k', 3)).toContain(`bind ${NODE_ADDRESS}\n`);
  });
});

describe('the network of the node', () => {
  it('gives each pod a pair of devices, without a bridge and without a masquerade', () => {
    const { plugins } = JSON.parse(networkConfig('/data')) as { readonly plugins: readonly object[] };
    expect(plugins).toMatchObject([{ type: 'ptp', ipMasq: false, ipam: { type: 'host-local', dataDir: '/data' } }]);
  });

  it('uses a table of nftables for Services, and leaves the limits of connection tracking alone', () => {
    expect(kubeProxyConfig({ kubeconfig: '/k', healthPort: 1, metricsPort: 2 })).toMatchObject({
      mode: 'nftables',
      hostnameOverride: NODE_NAME,
      conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    });
  });
});
