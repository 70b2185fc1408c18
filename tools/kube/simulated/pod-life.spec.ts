import { describe, expect, it } from 'vitest';
import { EXIT_LABEL, nextPodStep, type SimulatedPod } from './pod-life.ts';

const NOW = '2026-01-01T00:00:00Z';
const address = (): string => '10.1.0.1';
const CONTAINER = { name: 'main', image: 'heddle:1' };

function pod(
  phase: string,
  more: Partial<SimulatedPod['metadata']> = {},
  nodeName: string | undefined = 'a',
): SimulatedPod {
  const spec = { containers: [CONTAINER], ...(nodeName !== undefined && { nodeName }) };
  return { metadata: { name: 'p', namespace: 'heddle', ...more }, spec, status: { phase } };
}

describe('a pod on a simulated node', () => {
  it('runs as soon as it is on a node, and not before', () => {
    const { spec, ...rest } = pod('Pending');
    expect(nextPodStep({ ...rest, spec: { containers: spec.containers } }, NOW, address)).toEqual({ kind: 'none' });
    expect(nextPodStep(pod('Pending'), NOW, address)).toMatchObject({
      kind: 'report',
      status: { phase: 'Running', podIP: '10.1.0.1', containerStatuses: [{ name: 'main', ready: true }] },
    });
  });

  it('goes on running, unless a Job or helm test owns it', () => {
    expect(nextPodStep(pod('Running'), NOW, address)).toEqual({ kind: 'none' });
    for (const more of [{ ownerReferences: [{ kind: 'Job' }] }, { annotations: { 'helm.sh/hook': 'test' } }])
      expect(nextPodStep(pod('Running', more), NOW, address)).toMatchObject({
        kind: 'report',
        status: { phase: 'Succeeded', containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] },
      });
  });

  it('fails with the exit code of its label, if it ends at all', () => {
    const labels = { [EXIT_LABEL]: '2' };
    expect(nextPodStep(pod('Running', { labels }), NOW, address)).toEqual({ kind: 'none' });
    expect(nextPodStep(pod('Running', { labels, ownerReferences: [{ kind: 'Job' }] }), NOW, address)).toMatchObject({
      kind: 'report',
      status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 2 } } }] },
    });
  });

  it('is removed when it is deleted, whatever it does', () => {
    for (const phase of ['Pending', 'Running', 'Succeeded'])
      expect(nextPodStep(pod(phase, { deletionTimestamp: NOW }), NOW, address)).toEqual({ kind: 'remove' });
  });

  it('keeps a sidecar running beside it, and ends the other init containers', () => {
    const started = pod('Pending');
    const initContainers = [
      { ...CONTAINER, name: 'engine', restartPolicy: 'Always' },
      { ...CONTAINER, name: 'once' },
    ];
    expect(nextPodStep({ ...started, spec: { ...started.spec, initContainers } }, NOW, address)).toMatchObject({
      status: {
        initContainerStatuses: [
          { name: 'engine', state: { running: {} } },
          { name: 'once', state: { terminated: { exitCode: 0 } } },
        ],
      },
    });
  });
});
