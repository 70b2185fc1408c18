import type { Command, CommandCall, Option } from '../command-line/command.js';
import { AdminClient } from './admin-client.js';
import { adminPlace } from './admin-place.js';

const ADMIN_OPTIONS: Readonly<Record<string, Option>> = {
  'admin-url': { value: 'URL', meaning: 'the admin API (HEDDLE_ADMIN_URL; default: admin.json of the data folder)' },
  data: { value: 'FOLDER', meaning: 'data folder of the service (HEDDLE_DATA; .heddle)' },
};

export interface AdminCall extends Omit<CommandCall, 'client'> {
  readonly admin: AdminClient;
}

/** A command of an operator: it speaks to the admin API instead of the public one. */
export interface AdminCommand extends Omit<Command, 'run' | 'isLocal' | 'raw'> {
  run(call: AdminCall): Promise<number>;
}

export function adminCommand({ run, options, ...command }: AdminCommand): Command {
  return {
    ...command,
    isLocal: true,
    options: { ...options, ...ADMIN_OPTIONS },
    async run(call) {
      const admin = new AdminClient(async () => await adminPlace(call.options, call.env));
      try {
        return await run({ ...call, admin });
      } finally {
        await admin.close();
      }
    },
  };
}
