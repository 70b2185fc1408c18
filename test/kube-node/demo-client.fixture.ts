import type { HeddleClient } from '@heddle/testing-api';
import { jsonOf, type Answer, type Job } from '@heddle/testing-api';
import type { NodeKube } from './real-kube.fixture.ts';

/** A client of the deployment `demo`, at the host of it. */
export class DemoClient {
  readonly #client: HeddleClient;
  readonly #host: string;

  private constructor(client: HeddleClient, host: string) {
    this.#client = client;
    this.#host = host;
  }

  /** `client`: of the same API. */
  static of(kube: NodeKube, client: HeddleClient): DemoClient {
    // Sent as a header: a name below localhost is not known to every resolver.
    const host = `demo.deployments.localhost:${kube.apiPort}`;
    const options = { token: kube.keys.apiKey, signedUrls: true, linkOrigin: `http://${host}` };
    return new DemoClient(client.as(options), host);
  }

  async submit(workflow: unknown): Promise<Answer> {
    return await this.#client.submit(workflow, { headers: { host: this.#host } });
  }

  /** Id of the job. */
  async submitted(workflow: unknown): Promise<string> {
    return (await this.#client.submitted(workflow, { headers: { host: this.#host } })).id;
  }

  async statusOf(id: string): Promise<string> {
    return jsonOf<Job>(await this.#client.get(`/api/v2/jobs/${id}`, { host: this.#host })).status;
  }
}
