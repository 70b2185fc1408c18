// A cluster of its own for a spec file: a real API server, controllers and scheduler, and nodes that only say that pods run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../charts/charts.ts';
import { startSimulatedKube, type RunningKube } from '../../tools/kube/start-simulated-kube.ts';
import { openDefinitions } from './open-definitions.ts';

/** With an empty cache the tools are built first. */
export const BUILD_MS = 2_700_000;

export interface SimulatedKube extends RunningKube {
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

export async function simulatedKube(): Promise<SimulatedKube> {
  const root = await mkdtemp(join(tmpdir(), 'heddle-kube-'));
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const running = await startSimulatedKube({ cacheDir: join(ROOT, '.cache'), root, say });
  await running.kubectl.apply(...openDefinitions());
  await running.kubectl.run('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
  return {
    ...running,
    remove: async () => {
      await running.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
