import type { ApiClient } from '../api/api-client.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

export interface Option {
  /** Placeholder of the value in the help, e.g. `FILE`; null for a switch. */
  readonly value: string | null;
  readonly meaning: string;
  /** May be repeated. */
  readonly multiple?: boolean;
  /** The values that a shell completes. */
  readonly choices?: readonly string[];
}

type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface CommandCall {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly options: Arguments;
  readonly terminal: Terminal;
  readonly env: ProcessVariables;
  /** A client for the service of --url; nothing is sent before the first request. */
  client(): ApiClient;
}

export interface Command {
  /** One or two words: `run`, `jobs list`. */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name, e.g. `GRAPH.json`. */
  readonly words: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
  /** Additional help, printed below the options. */
  readonly notes?: () => Promise<readonly string[]>;
  /** It calls no service, so the help does not offer --url and --token. */
  readonly isLocal?: boolean;
  /** The words after the name that a shell completes. */
  readonly choices?: readonly string[];
  /** The flags of a command with unparsed options, for the shell. */
  readonly flags?: () => Promise<readonly string[]>;
  /** The exit code is what scripts ask for: the command ends its work although its output is no longer read. */
  readonly judges?: boolean;
  /** Receives all words and options unparsed. */
  readonly raw?: boolean;
  /** Returns the exit code; throws a CliFailure otherwise. */
  run(call: CommandCall): Promise<number>;
}

/** Typed access to the options of a call. */
export class Arguments {
  constructor(private readonly values: OptionValues) {}

  text(name: string): string | null {
    const value = this.values[name];
    return typeof value === 'string' ? value : null;
  }

  all(name: string): readonly string[] {
    const value = this.values[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  on(name: string): boolean {
    return this.values[name] === true;
  }
}

/** Options that every command takes. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  url: { value: 'URL', meaning: 'where Heddle serves, also HOST:PORT (HEDDLE_URL; http://127.0.0.1:8189)' },
  token: { value: 'TOKEN', meaning: 'bearer token; safer in the environment: HEDDLE_TOKEN or HEDDLE_STATIC_TOKEN' },
  json: { value: null, meaning: 'JSON lines on standard output, everything else on standard error' },
  help: { value: null, meaning: 'this help' },
};

const OF_A_SERVICE: ReadonlySet<string> = new Set(['url', 'token']);

/** The options of a command that have an effect. */
export function offeredOptions({ options, isLocal }: Command): Readonly<Record<string, Option>> {
  const common = Object.entries(COMMON_OPTIONS).filter(([name]) => isLocal !== true || !OF_A_SERVICE.has(name));
  return { ...options, ...Object.fromEntries(common) };
}
