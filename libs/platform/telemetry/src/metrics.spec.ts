import { describe, expect, it } from 'vitest';
import { MetricsRegistry } from './metrics.js';

describe('the metrics of a process', () => {
  it('are Prometheus text with help and type', async () => {
    const metrics = new MetricsRegistry();
    metrics.counter({ name: 'a_total', help: 'Things', labelNames: ['kind'] }).inc({ kind: 'x' }, 2);
    metrics.gauge({ name: 'b', help: 'Now' }, () => 1.5);
    metrics.gauge({ name: 'c', help: 'Each', labelNames: ['of'] }, () => [[{ of: 'one' }, 1] as const]);
    expect(await metrics.metrics()).toBe(
      [
        '# HELP a_total Things\n# TYPE a_total counter\na_total{kind="x"} 2\n',
        '# HELP b Now\n# TYPE b gauge\nb 1.5\n',
        '# HELP c Each\n# TYPE c gauge\nc{of="one"} 1\n',
      ].join('\n'),
    );
  });

  it('count a histogram in buckets that hold each other', async () => {
    const metrics = new MetricsRegistry();
    const seconds = metrics.histogram({ name: 'c_seconds', help: 'Time', buckets: [0.1, 1] });
    for (const value of [0.05, 0.5, 5]) seconds.observe(value);
    expect(await metrics.metrics()).toContain(
      'c_seconds_bucket{le="0.1"} 1\nc_seconds_bucket{le="1"} 2\nc_seconds_bucket{le="+Inf"} 3\nc_seconds_sum 5.55\nc_seconds_count 3\n',
    );
  });

  it('drop at each scrape the label sets that a reading no longer names', async () => {
    const metrics = new MetricsRegistry();
    let of = 'old';
    metrics.gauge({ name: 'a', help: 'x', labelNames: ['of'] }, () => [[{ of }, 1] as const]);
    expect(await metrics.metrics()).toContain('a{of="old"} 1');
    of = 'new';
    expect(await metrics.metrics()).not.toContain('old');
  });

  it('name no more label sets of a reading than are declared, and add up the others', async () => {
    const metrics = new MetricsRegistry();
    const many = Array.from({ length: 300 }, (_, n) => [{ of: String(n) }, 1] as const);
    metrics.gauge({ name: 'few', help: 'x', labelNames: ['of'] }, () => many);
    metrics.gauge({ name: 'more', help: 'x', labelNames: ['of'], maxSeries: 250 }, () => many);
    const lines = (await metrics.metrics()).split('\n');
    expect(lines.filter((line) => line.startsWith('few{'))).toHaveLength(201);
    expect(lines).toContain('few{of="other"} 100');
    expect(lines.filter((line) => line.startsWith('more{'))).toHaveLength(251);
    expect(lines).toContain('more{of="other"} 50');
  });

  it('count more label sets where a declaration allows them', async () => {
    const metrics = new MetricsRegistry();
    const declared = { name: 'b', help: 'x', labelNames: ['id'], buckets: [1], maxSeries: 300 };
    const histogram = metrics.histogram(declared);
    for (let n = 0; n < 310; n += 1) histogram.observe({ id: String(n) }, 1);
    const lines = (await metrics.metrics()).split('\n');
    expect(lines.filter((line) => line.startsWith('b_count'))).toHaveLength(301);
    expect(lines).toContain('b_count{id="other"} 10');
  });

  it('are one and the same for one name, and refuse a name of another kind', () => {
    const metrics = new MetricsRegistry();
    const a = { name: 'a', help: 'x' };
    expect(metrics.counter(a)).toBe(metrics.counter(a));
    expect(() => metrics.gauge(a)).toThrow(/another kind/);
  });

  it('cannot be made to grow by label values, nor to forge a line', async () => {
    const metrics = new MetricsRegistry();
    const counter = metrics.counter({ name: 'a', help: 'x', labelNames: ['id'] });
    const histogram = metrics.histogram({ name: 'b', help: 'x', labelNames: ['id'], buckets: [1] });
    counter.inc({ id: '"} 1\nforged 2' });
    for (let n = 0; n < 10_000; n += 1) {
      counter.inc({ id: String(n) });
      histogram.observe({ id: String(n) }, 1);
    }
    const lines = (await metrics.metrics()).split('\n');
    expect(lines.length).toBeLessThan(1_100);
    expect(lines).toContain('a{id="other"} 9801');
    expect(lines).toContain('b_count{id="other"} 9800');
    expect(lines.some((line) => line.startsWith('forged'))).toBe(false);
  });
});
