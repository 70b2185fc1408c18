import { describe, expect, it } from 'vitest';
import { METRICS } from './metric-names.js';
import { MetricsRegistry } from './metrics.js';

describe('the metrics of a process', () => {
  it('are Prometheus text with help and type', () => {
    const metrics = new MetricsRegistry();
    metrics.counter('a_total', 'Things').add({ kind: 'x' }, 2);
    metrics.gauge('b', 'Now', () => 1.5);
    expect(metrics.text()).toBe(
      '# HELP a_total Things\n# TYPE a_total counter\na_total{kind="x"} 2\n# HELP b Now\n# TYPE b gauge\nb 1.5\n',
    );
  });

  it('count a histogram in buckets that hold each other', () => {
    const metrics = new MetricsRegistry();
    const seconds = metrics.histogram('c_seconds', 'Time', [0.1, 1]);
    for (const value of [0.05, 0.5, 5]) seconds.observe(value);
    expect(metrics.text()).toContain(
      'c_seconds_bucket{le="0.1"} 1\nc_seconds_bucket{le="1"} 2\nc_seconds_bucket{le="+Inf"} 3\nc_seconds_sum 5.55\nc_seconds_count 3\n',
    );
  });

  it('are one and the same for one name, and refuse a name of another kind', () => {
    const metrics = new MetricsRegistry();
    expect(metrics.counter('a', 'x')).toBe(metrics.counter('a', 'x'));
    expect(() => metrics.gauge('a', 'x')).toThrow(/another kind/);
  });

  it('cannot be made to grow by label values, nor to forge a line', () => {
    const metrics = new MetricsRegistry();
    const counter = metrics.counter('a', 'x');
    for (let n = 0; n < 10_000; n += 1) counter.add({ id: String(n) });
    counter.add({ id: '"} 1\nforged 2' });
    const lines = metrics.text().split('\n');
    expect(lines.length).toBeLessThan(250);
    expect(lines.some((line) => line.startsWith('forged'))).toBe(false);
  });

  it('have names of one form, each with a help text', () => {
    for (const [name, help] of Object.values(METRICS)) {
      expect(name).toMatch(/^heddle_[a-z_]+$/);
      expect(help.length).toBeGreaterThan(5);
    }
    expect(new Set(Object.values(METRICS).map(([name]) => name)).size).toBe(Object.keys(METRICS).length);
  });
});
