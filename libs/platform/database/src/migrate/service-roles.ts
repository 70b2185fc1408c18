import pg from 'pg';
import type { Database } from '../connect/database.js';
import { passwordFingerprint, scramVerifier } from '../connect/role-password.js';
import { SERVICE_ROLE_TABLE } from './heddle-schema.js';

const DUPLICATE = new Set(['42710', '23505']);
const NOT_ALLOWED = '42501';
/** "tuple concurrently updated": two databases of one server changed the same role at once. */
const CONCURRENT = 'XX000';

/** The owner may not create roles; the message contains the SQL for an administrator. */
export class ServiceRolesMissingError extends Error {
  constructor(readonly sql: string) {
    super(
      `HEDDLE_DATABASE_URL's role may not create Heddle's service roles. Let an administrator run this, then start again:\n${sql}`,
    );
    this.name = 'ServiceRolesMissingError';
  }
}

/** Creates the roles, or sets the passwords derived from this owner. Runs under the migration lock. */
export async function setServiceRoles(
  database: Database,
  client: pg.PoolClient,
  roles: readonly string[],
): Promise<void> {
  await client.query(SERVICE_ROLE_TABLE);
  const missing: string[] = [];
  for (const role of roles) {
    const password = database.rolePassword(role);
    if (!(await setRole(client, role, password)) && !(await canLogIn(database, role))) {
      missing.push(createRoleSql(role, password));
      continue;
    }
    await client.query(
      `insert into heddle.service_role (role, fingerprint) values ($1, $2)
       on conflict (role) do update set fingerprint = excluded.fingerprint`,
      [role, passwordFingerprint(password)],
    );
  }
  if (missing.length > 0) throw new ServiceRolesMissingError(missing.join('\n'));
}

function createRoleSql(role: string, password: string): string {
  return `create role ${role} login password '${scramVerifier(password, role)}';`;
}

/** False if the owner lacks the permission. */
async function setRole(client: pg.PoolClient, role: string, password: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
      const verb = rowCount === 0 ? 'create' : 'alter';
      await client.query(createRoleSql(role, password).replace(/^create/, verb));
      return true;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (code === NOT_ALLOWED) return false;
      if ((code !== CONCURRENT && !DUPLICATE.has(code)) || attempt === 10) throw error;
    }
  }
}

async function canLogIn(database: Database, role: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: database.roleUrl(role), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
