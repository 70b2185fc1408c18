import { HeddleClient, textGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PANELS } from '../../tools/charts/dashboard.ts';
import { drawDashboard } from '../../tools/charts/pictures/dashboard-picture.ts';
import { dashboardData, type PictureWindow } from '../../tools/charts/pictures/panel-data.ts';
import { RunningPrometheus } from '../../tools/charts/prometheus/running-prometheus.ts';
import { KEY_FOR_TESTS } from '../security/keyed-heddle.js';
import { at, furtherTools, rendered } from './charts.ts';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
}

/** Panels of what a healthy service in one process does not have. */
const WITHOUT_SERIES = ['Cold starts (p95 of an hour)', 'Time until certificates and tokens expire'];
/** Of processes apart: streams of workers over the network, and the relay of a registry to brokers. */
const OF_A_CLUSTER = ['heddle_work_streams', 'heddle_registry_relay_lag_seconds'];
const SETTINGS = { HEDDLE_SURFACE: 'managed', HEDDLE_BOOTSTRAP_KEY: KEY_FOR_TESTS };
const TEST_TIMEOUT_MS = 120_000;

/** The expressions of the rules and of the dashboard on a real Prometheus that scrapes a real service. */
describe('a Prometheus that scrapes Heddle', { timeout: TEST_TIMEOUT_MS }, () => {
  let heddle: Standalone;
  let prometheus: RunningPrometheus;
  let rules: readonly Rule[];
  beforeAll(async () => {
    heddle = await startStandalone({ env: SETTINGS });
    const client = await HeddleClient.connect(heddle.url, { token: KEY_FOR_TESTS });
    // The registry and the partner proxy declare their metrics with their first request.
    for (const path of ['/nodes', '/proxy/videovendor/tasks/none/creations'])
      await fetch(`${heddle.url}/registry${path}`);
    const objects = await rendered('heddle', 'full-values.yaml');
    const spec = at(objects.find(({ kind }) => kind === 'PrometheusRule')?.body, 'spec') as {
      groups: { rules: Rule[] }[];
    };
    rules = spec.groups.flatMap((group) => group.rules);
    const { prometheus: program } = await furtherTools();
    const pods = { 'heddle-0': heddle.opsUrl };
    prometheus = await RunningPrometheus.start({ program, pods, intervalS: 1, rules: spec });
    await prometheus.until('heddle_build_info');
    const runs = async (): Promise<void> => {
      const { id } = await client.submitted(textGraph());
      await client.reached(id, 'succeeded');
    };
    await runs();
    // A labelled counter begins with its first event, which no rate shows: only the second job raises it.
    await prometheus.until('heddle_jobs_ended_total');
    await runs();
    await prometheus.until('rate(heddle_jobs_ended_total{status="succeeded"}[1m]) > 0');
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await prometheus?.stop();
    await heddle?.stop();
  });

  it('knows every metric that a rule or a panel names', async () => {
    const expressions = [...rules.map(({ expr }) => expr), ...PANELS.flatMap(({ series }) => Object.values(series))];
    const named = expressions.flatMap((expr) => [...expr.matchAll(/\bheddle_\w+?(?=_(?:bucket|count)\b|\b)/g)]);
    const declared = await prometheus.metrics();
    const unknown = new Set(named.map(([name]) => name).filter((name) => !declared.has(name)));
    expect([...unknown].sort()).toEqual(OF_A_CLUSTER.toSorted());
  });

  it('evaluates every rule without an error, and no alert fires on a service that works', async () => {
    await expect
      .poll(async () => (await prometheus.rules()).map(({ health }) => health), { timeout: TEST_TIMEOUT_MS })
      .not.toContain('unknown');
    const states = await prometheus.rules();
    expect(states).toHaveLength(rules.length);
    expect(states.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([]);
  });

  it('has series for every panel of the dashboard', async () => {
    for (const { title, series } of PANELS) {
      for (const expr of Object.values(series)) {
        const query = async () => (await prometheus.query(expr.replaceAll('$__rate_interval', '1m'))).length;
        if (WITHOUT_SERIES.includes(title)) expect(await query(), title).toBe(0);
        else await expect.poll(query, { message: `${title}: ${expr}`, timeout: 30_000 }).toBeGreaterThan(0);
      }
    }
  });

  it('is drawn with every panel of the dashboard, and with data in those that have series', async () => {
    // As long as this spec runs, so that the jobs of its start are in it.
    const window = (): PictureWindow => {
      const to = Math.floor(Date.now() / 1_000);
      return { from: to - 120, to, scrapeIntervalS: 1 };
    };
    const empty = async (): Promise<string[]> => {
      const panels = await dashboardData(prometheus.url, window());
      return panels.filter(({ lines }) => lines.length === 0).map(({ panel }) => panel.title);
    };
    await expect.poll(empty, { timeout: 30_000 }).toEqual(WITHOUT_SERIES);
    const picture = await drawDashboard(prometheus.url, window());
    for (const { title } of PANELS) expect(picture).toContain(`>${title}<`);
    expect(picture).toContain('>succeeded<');
  });

  it('gives the autoscaler of the shared pool one number', async () => {
    const objects = await rendered('heddle', 'full-values.yaml');
    const scaled = objects.find(({ kind }) => kind === 'ScaledObject');
    const query = String(at(scaled?.body, 'spec.triggers.0.metadata.query'));
    const found = await prometheus.query(query);
    expect(found.map(({ value: [, number] }) => number)).toEqual(['0']);
  });
});
