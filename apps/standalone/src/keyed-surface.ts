import { ACCOUNTS_MIGRATIONS, ACCOUNTS_ROLE } from '@heddle/accounts';
import type { ServiceProcess } from '@heddle/composition';
import { accountsModule, makeFirstKey } from '@heddle/composition/accounts';
import { KEYED_ADMIN_PORTS, portsOf, serveAdminApi } from '@heddle/composition/admin-api';
import { deploymentsModule } from '@heddle/composition/deployments';
import { notedAdminToken } from '@heddle/composition/admin-note';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE } from '@heddle/deployments';
import type { Database } from '@heddle/platform-database';
import type { WorkerPorts } from '@heddle/worker';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import type { Pool } from 'pg';
import { startLocalWorkers } from './local-workers.js';
import { LocalProvider } from './local-provider.js';

/** What the managed and the dedicated surface have beside the self-hosted one: keys of accounts, deployments, an admin API. */
export class KeyedSurface {
  readonly migrations = [ACCOUNTS_MIGRATIONS, DEPLOYMENTS_MIGRATIONS];
  readonly #local = new LocalProvider();

  constructor(
    private readonly service: ServiceProcess,
    private readonly database: Database,
  ) {}

  get pools(): readonly (readonly [string, Pool])[] {
    return [
      ['accounts', this.database.pool(ACCOUNTS_ROLE)],
      ['deployments', this.database.pool(DEPLOYMENTS_ROLE)],
    ];
  }

  modules(jobs: DynamicModule, assets: DynamicModule): readonly DynamicModule[] {
    const { database } = this;
    const slots = Math.max(1, this.service.settings.workers);
    const deployments = deploymentsModule(this.service, { database, jobs, local: this.#local, slots });
    return [accountsModule(this.service, this.database, true, [jobs, assets]), deployments];
  }

  /** From now on deployments have their workers in this process. */
  runDeployments(ports: WorkerPorts): void {
    const { service } = this;
    this.#local.attach(
      async (pool) => await startLocalWorkers(service, ports, pool),
      (error) => service.logger.error({ err: error }, 'the workers of a deployment were not started'),
    );
    service.onStop('workers of deployments', () => this.#local.stop());
  }

  /** Once the operations port is open: the first key, and the admin API, which the data folder names to the commands. */
  async open(app: Pick<INestApplicationContext, 'get'>, registry: RegistryAdminPort): Promise<void> {
    const { service } = this;
    await makeFirstKey(service, app, (line) => process.stderr.write(`heddle: ${line}\n`));
    const ports = new Map([...portsOf(app, KEYED_ADMIN_PORTS), [REGISTRY_ADMIN_PORT, registry]]);
    await serveAdminApi(service, notedAdminToken(service), ports);
  }
}
