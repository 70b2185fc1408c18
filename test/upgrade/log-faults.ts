// `node test/upgrade/log-faults.ts OWNER_URL`, in the folder of a build that can read the log: prints its faults as JSON.
import pg from 'pg';
import { logFaults } from '../chaos/examine.ts';

const owner = new pg.Pool({ connectionString: process.argv[2], max: 4 });
process.stdout.write(JSON.stringify(await logFaults(owner)));
await owner.end();
