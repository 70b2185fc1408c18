import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DASHBOARD_FILE, dashboardFile, PANELS } from '../../tools/charts/dashboard.ts';
import { at, rendered, ROOT, run, tools } from './charts.ts';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}

describe('the alerts', () => {
  let folder: string;
  let rules: Rule[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-alerts-'));
    const objects = await rendered('heddle', 'full-values.yaml');
    const spec = at(objects.find(({ kind }) => kind === 'PrometheusRule')?.body, 'spec') as {
      groups: { rules: Rule[] }[];
    };
    rules = spec.groups.flatMap((group) => group.rules);
    await writeFile(join(folder, 'rules.yaml'), stringify(spec));
    const cases = await readFile(join(ROOT, 'test/charts/alerts.test.yaml'), 'utf8');
    await writeFile(join(folder, 'alerts.test.yaml'), cases);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('are valid rules', async () => {
    const { code, out, error } = await run((await tools()).promtool, [
      'check',
      'rules',
      '--lint=all',
      join(folder, 'rules.yaml'),
    ]);
    expect(`${out}${error}`).toContain('SUCCESS');
    expect(code).toBe(0);
  });

  // Six seconds of CPU: each case has a database of its own.
  it('fire and do not fire as their cases say', { timeout: 240_000 }, async () => {
    const { code, out, error } = await run((await tools()).promtool, [
      'test',
      'rules',
      join(folder, 'alerts.test.yaml'),
    ]);
    expect(`${out}${error}`).toContain('SUCCESS');
    expect(code).toBe(0);
  });

  it('have a case in which each fires, one in which it does not, and one without data', async () => {
    const { tests } = parse(await readFile(join(ROOT, 'test/charts/alerts.test.yaml'), 'utf8')) as {
      tests: { input_series: unknown[]; alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
    };
    const alerts = new Set(rules.flatMap(({ alert }) => alert ?? []));
    const named = (fires: boolean, hasData: boolean): ReadonlySet<string> =>
      new Set(
        tests
          .filter(({ input_series }) => input_series.length > 0 === hasData)
          .flatMap((test) => test.alert_rule_test)
          .filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires)
          .map(({ alertname }) => alertname),
      );
    expect(named(true, true)).toEqual(alerts);
    expect(named(false, true)).toEqual(alerts);
    expect(named(false, false)).toEqual(alerts);
  });

  it('have a severity, a summary, and a page in docs/runbooks', () => {
    for (const { alert, labels, annotations } of rules.filter((rule) => rule.alert !== undefined)) {
      expect(['page', 'ticket'], alert).toContain(labels?.severity);
      expect(annotations?.summary, alert).toMatch(/\.$/);
      const page = annotations?.runbook_url.split('/').at(-1) ?? '';
      expect(existsSync(join(ROOT, 'docs/runbooks', page)), page).toBe(true);
    }
  });

  it('name metrics that docs/observability.md lists', async () => {
    const listed = await readFile(join(ROOT, 'docs/observability.md'), 'utf8');
    for (const { expr } of rules)
      for (const [metric] of expr.matchAll(/heddle_\w+?(?=_(?:bucket|count)\b|\b)/g))
        expect(listed, expr).toContain(`\`${metric}\``);
  });

  it.each(['heddle', 'n'.repeat(50)])('on migrations match the Jobs of the release %s alone', async (name) => {
    const set = ['--set', `fullnameOverride=${name},migrations.hooks=false,observability.rules.enabled=true`];
    const objects = await rendered('heddle', 'managed-values.yaml', set);
    const hooks = await rendered('heddle', 'managed-values.yaml', ['--set', `fullnameOverride=${name}`]);
    const names = [...objects, ...hooks].filter(({ kind }) => kind === 'Job').map((job) => job.name);
    const migrations = names.filter((job) => !job.endsWith('-check'));
    const text = JSON.stringify(at(objects.find(({ kind }) => kind === 'PrometheusRule')?.body, 'spec'));
    const pattern = new RegExp(`^(?:${/job_name=~\\"([^"\\]+)/.exec(text)?.[1]})$`);
    expect(names.filter((job) => pattern.test(job))).toEqual(migrations);
    expect(migrations).toHaveLength(2);
    expect(text).toContain('namespace=\\"heddle\\"');
  });

  it('leave out those that are switched off', async () => {
    const objects = await rendered('heddle', 'full-values.yaml', [
      '--set-json',
      'observability.rules.disabled=["HeddleDiskFull"]',
    ]);
    expect(JSON.stringify(objects)).not.toContain('"HeddleDiskFull"');
  });
});

describe('the dashboard', () => {
  it('is the file that node tools/charts/write-chart-files.ts writes, and is in the ConfigMap', async () => {
    const text = await readFile(join(ROOT, DASHBOARD_FILE), 'utf8');
    expect(text).toBe(dashboardFile());
    const objects = await rendered('heddle', 'full-values.yaml');
    const body = objects.find(({ name }) => name === 'heddle-dashboards')?.body;
    expect(at(body, 'data')).toEqual({ 'heddle.json': text });
    expect(at(body, 'metadata.labels.grafana_dashboard')).toBe('1');
  });

  it('shows metrics that docs/observability.md lists, in expressions that promtool parses', async () => {
    const listed = await readFile(join(ROOT, 'docs/observability.md'), 'utf8');
    const { promtool } = await tools();
    for (const { series } of PANELS) {
      for (const expr of Object.values(series)) {
        for (const [metric] of expr.matchAll(/heddle_\w+?(?=_(?:bucket|count)\b|\b)/g))
          expect(listed, expr).toContain(`\`${metric}\``);
        const { code, error } = await run(promtool, [
          'promql',
          'format',
          '--experimental',
          expr.replaceAll('$__rate_interval', '1m'),
        ]);
        expect(error, expr).toBe('');
        expect(code).toBe(0);
      }
    }
  });
});
