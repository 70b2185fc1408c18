import { toolEnding, toolOutput, type ToolEnding } from '../run-tool.ts';

/** What specs and the launcher read of an object. */
export interface ClusterObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly namespace?: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** kubectl against one cluster. */
export class Kubectl {
  readonly #kubeconfig: string;
  readonly #program: string;

  constructor(program: string, kubeconfig: string) {
    this.#program = program;
    this.#kubeconfig = kubeconfig;
  }

  async run(...args: readonly string[]): Promise<string> {
    return await toolOutput(this.#program, this.#all(args));
  }

  /** Does not reject if kubectl fails. */
  async ending(args: readonly string[], input?: string): Promise<ToolEnding> {
    return await toolEnding(this.#program, this.#all(args), input);
  }

  /** kubectl reads JSON documents one after the other. */
  async apply(...objects: readonly object[]): Promise<void> {
    const input = objects.map((object) => JSON.stringify(object)).join('\n');
    await toolOutput(this.#program, this.#all(['apply', '--server-side', '-f', '-']), input);
  }

  async list(kind: string, ...args: readonly string[]): Promise<ClusterObject[]> {
    return (JSON.parse(await this.run('get', kind, '-o', 'json', ...args)) as { items: ClusterObject[] }).items;
  }

  async get(kind: string, name: string, ...args: readonly string[]): Promise<ClusterObject> {
    return JSON.parse(await this.run('get', kind, name, '-o', 'json', ...args)) as ClusterObject;
  }

  #all(args: readonly string[]): string[] {
    return [`--kubeconfig=${this.#kubeconfig}`, ...args];
  }
}
