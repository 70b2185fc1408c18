import { describe, expect, it } from 'vitest';
import { at, rendered } from './charts.ts';

describe('an autoscaler', () => {
  it('is left the number of pods', async () => {
    const objects = await rendered('heddle', 'full-values.yaml');
    const replicas = (name: string): unknown =>
      at(objects.find((one) => one.kind === 'Deployment' && one.name === name)?.body, 'spec.replicas');
    expect([replicas('heddle-gateway'), replicas('heddle-worker'), replicas('heddle-jobs')]).toEqual([
      undefined,
      undefined,
      2,
    ]);
    const scaled = objects.find(({ kind }) => kind === 'ScaledObject');
    expect(at(scaled?.body, 'spec.triggers.0.metadata')).toEqual({
      serverAddress: 'http://prometheus.monitoring:9090',
      query:
        'max(heddle_deployment_waiting{deployment="managed"}) + max(heddle_deployment_leased{deployment="managed"})',
      threshold: '2',
      activationThreshold: '0',
    });
  });

  it('scales the workers of the self-hosted surface, which has no deployments, on its one queue', async () => {
    const keda = [
      '--set',
      'workers.autoscaling.mode=keda,workers.autoscaling.prometheusAddress=http://prometheus:9090',
    ];
    const objects = await rendered('heddle', 'self-hosted-values.yaml', keda);
    const scaled = objects.find(({ kind }) => kind === 'ScaledObject');
    expect(at(scaled?.body, 'spec.triggers.0.metadata.query')).toBe(
      'max(heddle_jobs_queued) + max(heddle_jobs_running)',
    );
  });
});
