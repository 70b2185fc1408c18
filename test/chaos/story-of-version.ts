import type { NodeVersionWire } from '@heddle/contracts-registry';
import { eventually, expectStatus } from '@heddle/testing-api';
import type { Answer } from '@heddle/testing-api';
import type { RegistryPublisher } from '@heddle/testing-registry';

type Admin = (method: string, path: string, body?: object) => Promise<unknown>;
const VERSION = '1.0.0';

/**
 * A client and an operator who bring one version from its publish to the end of its review. What was acknowledged is not
 * asked again; what got no answer is, as a client does after a crash.
 */
export class StoryOfVersion {
  #signedUrl = '';
  readonly #steps: readonly (() => Promise<unknown>)[] = [
    () => this.#publish(),
    () => this.#upload(),
    () => this.publisher.inspected(this.node, VERSION),
    () => this.#review('flagged', 'looked at'),
    () => this.#requestReview(),
    () => this.#review('active', 'reviewed'),
  ];
  #done = 0;

  constructor(
    private readonly publisher: RegistryPublisher,
    private readonly node: string,
    private readonly bytes: Buffer,
    /** Of the process that runs now. */
    private readonly admin: () => Admin,
  ) {}

  /** From the first step without an acknowledgement. */
  async goOn(): Promise<void> {
    for (const step of this.#steps.slice(this.#done)) {
      await step();
      this.#done += 1;
    }
  }

  /** Types of the events of the version, in order. */
  async events(): Promise<string> {
    const path = `registry/nodes/${this.node}/events`;
    return await eventually('all events of the version', async () => {
      const { events } = (await this.admin()('GET', path)) as { readonly events: readonly { readonly type: string }[] };
      const types = events.map(({ type }) => type).filter((type) => type !== 'NodeCreated');
      return types.filter((type) => type === 'VersionReviewed').length >= 2 && types.join(' ');
    });
  }

  async end(): Promise<NodeVersionWire> {
    const { downloadUrl, ...version } = await this.#version();
    const { bytes } = expectStatus(await this.publisher.anyone.follow('GET', downloadUrl), 200);
    if (!bytes.equals(this.bytes)) throw new Error('the version has other bytes than were acknowledged');
    return { downloadUrl, ...version };
  }

  async #version(): Promise<NodeVersionWire> {
    const member = this.publisher.anyone.as(this.publisher.token);
    return await member.json<NodeVersionWire>(`/nodes/${this.node}/versions/${VERSION}`);
  }

  async #publish(): Promise<void> {
    this.#signedUrl = (await this.publisher.published(this.node, VERSION)).signedUrl;
  }

  async #upload(): Promise<Answer> {
    // 409: the bytes were stored before the answer was lost.
    return expectStatus(await this.publisher.upload(this.#signedUrl, this.bytes), 200, 409);
  }

  async #review(status: string, reason: string): Promise<unknown> {
    return await this.admin()('POST', `registry/nodes/${this.node}/versions/${VERSION}/review`, { status, reason });
  }

  async #requestReview(): Promise<Answer> {
    const path = this.publisher.path(this.node, `/versions/${VERSION}/request-review`);
    return expectStatus(
      await this.publisher.anyone.as(this.publisher.token).send('POST', path, { message: 'why' }),
      202,
    );
  }
}
