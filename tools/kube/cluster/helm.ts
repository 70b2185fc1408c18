import { toolEnding, toolOutput, type ToolEnding } from '../run-tool.ts';

/** Helm against one namespace of one cluster. */
export class Helm {
  readonly #program: string;
  readonly #flags: readonly string[];

  constructor(program: string, kubeconfig: string, namespace: string) {
    this.#program = program;
    this.#flags = [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`];
  }

  async run(...args: readonly string[]): Promise<string> {
    return await toolOutput(this.#program, [...args, ...this.#flags]);
  }

  /** Does not reject if Helm fails. */
  async ending(...args: readonly string[]): Promise<ToolEnding> {
    return await toolEnding(this.#program, [...args, ...this.#flags]);
  }
}
