import { NODE_ADDRESS } from '../node/node-addresses.ts';
import type { PodServers } from '../servers/start-servers.ts';
import { platformValues } from './heddle-values.ts';

/** The values of the platform on the real node. Servers are named by address, so that network policies let pods to them alone. */
export function nodeValues(tag: string, { ownerUrl, brokers, s3 }: Omit<PodServers, 'stop'>): object {
  const machine = { ipBlock: { cidr: `${NODE_ADDRESS}/32` } };
  const egress = (...ports: number[]): object[] => [{ to: machine, ports }];
  return {
    ...platformValues({ image: { tag }, brokers, s3 }),
    networkPolicy: {
      // Clients come through a forward of the launcher.
      ingressFrom: [{ ipBlock: { cidr: '0.0.0.0/0' } }],
      egress: {
        database: egress(portOf(ownerUrl)),
        kafka: egress(...brokers.map((broker) => Number(broker.split(':')[1]))),
        s3: egress(portOf(s3.endpoint)),
      },
    },
  };
}

const portOf = (url: string): number => Number(new URL(url).port);
