/** A publisher as its events leave it. */
export interface PublisherState {
  /** Of its last event. */
  readonly streamVersion: number;
  readonly publisherId: string;
  readonly status: 'active' | 'banned';
  readonly reason: string;
  readonly createdAt: string;
}
