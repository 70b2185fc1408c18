import { bulkVersionsSql, oneVersionSql } from '@heddle/registry/statements';
import type { Standalone } from '@heddle/testing-standalone';
import pg from 'pg';
import { embeddedDatabaseUrl } from '../../api/database.ts';
import { post, requester } from '../http-load.ts';
import { quantiles } from '../quantiles.ts';
import type { Sample } from '../rows.ts';
import { NODES, VERSIONS_A_NODE, versionOf } from './copy-packages.ts';
import { getRequest } from './get-request.ts';
import { packageOf } from './package-names.ts';

const ITEMS = 100;
const TURNS = 400;

/**
 * A bulk read of 100 versions beside reads of one: as whole answers, and as the statements that the registry sends. No
 * read asks for what another one has asked for a moment ago, so that no answer is kept.
 */
export async function measureBulk(registry: Standalone): Promise<Sample> {
  const { send, close } = await requester(registry.port);
  const bulk: number[] = [];
  const point: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const asked = { node_versions: Array.from({ length: ITEMS }, anyVersion) };
    const { node_id, version } = anyVersion();
    const timed = async (request: Buffer): Promise<number> => {
      const began = performance.now();
      const status = await send(request);
      if (status !== 200) throw new Error(`a read answered ${status}`);
      return performance.now() - began;
    };
    // By turns: other work on the machine meets both.
    bulk.push(await timed(post('/registry/bulk/nodes/versions', JSON.stringify(asked))));
    point.push(await timed(getRequest(`/registry/nodes/${node_id}/versions/${version}`)));
  }
  close();
  return {
    ...quantiles('bulk', bulk),
    ...quantiles('point', point),
    ...(await measureStatements(registry)),
  };
}

/** Times that the database itself measures, without the network and the client. */
async function measureStatements({ dataDir }: Standalone): Promise<Sample> {
  const owner = new pg.Client(await embeddedDatabaseUrl(dataDir));
  await owner.connect();
  const quoted = (values: readonly string[]): string =>
    `array[${values.map((value) => `'${value}'`).join(',')}]::text[]`;
  const executed = async (statement: string): Promise<number> => {
    const { rows } = await owner.query<Record<string, string>>(
      `explain (analyze, timing off, serialize text) ${statement}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1]);
  };
  try {
    await owner.query(`prepare bulk (text[], text[], uuid) as ${bulkVersionsSql}`);
    await owner.query(`prepare point (text, text) as ${oneVersionSql}`);
    const [bulk, point]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const versions = Array.from({ length: ITEMS }, anyVersion);
      const ids = quoted(versions.map(({ node_id }) => node_id));
      bulk.push(await executed(`execute bulk (${ids}, ${quoted(versions.map(({ version }) => version))}, null)`));
      const { node_id, version } = anyVersion();
      point.push(await executed(`execute point ('${node_id}', '${version}')`));
    }
    return { ...quantiles('bulk-sql', bulk), ...quantiles('point-sql', point) };
  } finally {
    await owner.end();
  }
}

function anyVersion(): { readonly node_id: string; readonly version: string } {
  const { id } = packageOf(Math.floor(Math.random() * NODES));
  return { node_id: id, version: versionOf(Math.floor(Math.random() * VERSIONS_A_NODE)) };
}
