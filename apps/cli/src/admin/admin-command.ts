import type { Arguments, Command, CommandCall, Option } from '../command-line/command.js';
import { wrongUsage } from '../failure.js';
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
interface AdminCommand extends Omit<Command, 'run' | 'isLocal' | 'raw'> {
  run(call: AdminCall): Promise<number>;
}

/** The options of other commands: here they would be without effect, and the change would be made elsewhere. */
function refuseServiceOptions(name: string, options: Arguments): void {
  for (const [option, instead] of [
    ['url', '--admin-url URL names the admin API'],
    ['token', 'HEDDLE_ADMIN_TOKEN holds the token of the admin API'],
  ] as const)
    if (options.text(option) !== null) throw wrongUsage(`${name} does not take --${option}`, instead);
}

export function adminCommand({ run, options, ...command }: AdminCommand): Command {
  return {
    ...command,
    isLocal: true,
    options: { ...options, ...ADMIN_OPTIONS },
    async run(call) {
      refuseServiceOptions(command.name, call.options);
      const admin = new AdminClient(async () => await adminPlace(call.options, call.env));
      try {
        return await run({ ...call, admin });
      } finally {
        await admin.close();
      }
    },
  };
}
