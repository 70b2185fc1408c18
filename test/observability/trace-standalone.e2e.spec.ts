import { HeddleClient, send, textOf } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedMetrics, STANDARD_METRICS } from './documented-metrics.js';
import { parseExposition } from './exposition.js';
import { pathOf, tracedTo, traceJob } from './traced-job.js';
import { renderTrace, TraceCollector } from './trace-collector.js';

describe('a job of one process', () => {
  const collector = new TraceCollector();
  let heddle: Standalone;
  let client: HeddleClient;
  beforeAll(async () => {
    heddle = await startStandalone({ env: tracedTo(await collector.listen()) });
    client = await HeddleClient.connect(heddle.url);
  });
  afterAll(async () => {
    await heddle?.stop();
    await collector.close();
  });

  it("is one trace, its client's, from the request to the last frame", async () => {
    const { id, traceId, clientSpan, spans } = await traceJob(client, collector, { endsWith: [], services: [] });
    console.info(renderTrace(spans));
    expect([...collector.tracesOf(id)]).toEqual([traceId]);
    const root = spans.find(({ name }) => name === 'POST /api/v2/jobs');
    expect(root?.parentId).toBe(clientSpan);
    const pathsOf = (name: string): readonly string[] =>
      spans.filter((span) => span.name === name).map((span) => pathOf(span, spans).join(' > '));
    expect(pathsOf('commit JobSubmitted')).toEqual(['POST /api/v2/jobs > commit JobSubmitted']);
    expect(pathsOf('run attempt')).toEqual(['POST /api/v2/jobs > run attempt']);
    expect(new Set(pathsOf('run node'))).toEqual(new Set(['POST /api/v2/jobs > run attempt > run node']));
    expect(pathsOf('store output').length).toBeGreaterThanOrEqual(1);
    expect(pathsOf('job.terminal.frame')).toEqual(['POST /api/v2/jobs > job.terminal.frame']);
    // Messages stay in the process, so they have no spans.
    expect(spans.filter(({ name }) => /^(publish|process) /.test(name))).toEqual([]);
  });

  it('exports metrics of the table and the standard ones of a process alone, each in a form that a strict reader takes', async () => {
    const families = parseExposition(textOf(await send(heddle.opsUrl, { method: 'GET', target: '/metrics' })));
    const names = families.map(({ name }) => name);
    const table = documentedMetrics();
    expect(names.filter((name) => !table.includes(name) && !/^(process|nodejs)_/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['heddle_database_restarts_total', ...STANDARD_METRICS]));
    expect(families.find(({ name }) => name === 'heddle_node_run_seconds')?.samples.length).toBeGreaterThan(5);
  });
});
