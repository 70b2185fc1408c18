/** An event of the log as mirrors see it. `node_id` and `version` are "" where the event has none. */
export interface ChangeWire {
  readonly seq: number;
  readonly type: string;
  readonly node_id: string;
  readonly version: string;
  readonly at: string;
}
