// These names and shapes are stored for ever: add, never edit. A payload holds no token and no address of a person.
//
// The fields are in snake_case, unlike those of jobs: texts, ranks and findings are stored in the form of the API, and what is
// stored keeps its names for ever.

/** Who caused an event: `account:<id>`, `token:<id>`, `admin` or `heddle`. */
type Actor = string;

interface By {
  readonly actor: Actor;
}
interface ActedWithReason extends By {
  readonly reason: string;
}

/** What a publisher says of a node. */
export interface NodeText {
  readonly name: string;
  readonly author: string;
  readonly category: string;
  readonly description: string;
  readonly icon: string;
  readonly banner_url: string;
  readonly license: string;
  readonly repository: string;
  readonly supported_accelerators: readonly string[];
  readonly supported_engine_frontend_version: string;
  readonly supported_engine_version: string;
  readonly supported_os: readonly string[];
  readonly tags: readonly string[];
  /** JSON text of an object. */
  readonly translations: string;
}

/** What administrators say of a node. */
export interface NodeRanks {
  readonly search_ranking: number;
  readonly preempted: readonly string[];
  readonly tags_admin: readonly string[];
}

/** What a publisher says of a version. */
export interface VersionText {
  readonly changelog: string;
  readonly dependencies: readonly string[];
  readonly supported_accelerators: readonly string[];
  readonly supported_engine_frontend_version: string;
  readonly supported_engine_version: string;
  readonly supported_os: readonly string[];
  readonly tags: readonly string[];
}

export interface ScanFinding {
  readonly issue_type: string;
  readonly severity: string;
  readonly file_path: string;
  readonly line_number: number;
  readonly code_snippet: string;
  readonly message: string;
}

/** The payload of each event, by its type. */
export interface RegistryEventData {
  PublisherCreated: By & { readonly publisher_id: string; readonly account_id: string };
  PublisherBanned: ActedWithReason;
  PublisherUnbanned: ActedWithReason;
  NodeCreated: By & { readonly node_id: string; readonly publisher_id: string; readonly text: NodeText };
  /** Exactly one of the two is there; the other is null. */
  NodeChanged: By & { readonly text: NodeText | null; readonly ranks: NodeRanks | null };
  NodeDeleted: By;
  NodeBanned: ActedWithReason;
  NodeUnbanned: ActedWithReason;
  NodeReleased: By;
  NodeClaimed: By & { readonly publisher_id: string };
  NodeReported: By & { readonly reason: string; readonly message: string };
  /** Again while there are no bytes: `upload` is the number of the upload URL that is good. */
  VersionPublished: By & {
    readonly node_id: string;
    readonly version: string;
    readonly upload: number;
    /** Lower-case hex that the bytes must have; "": any. */
    readonly sha256: string;
    readonly text: VersionText;
  };
  VersionUploaded: By & {
    readonly sha256: string;
    readonly size_bytes: number;
    readonly format: 'zip' | 'tar.gz';
    readonly blob: string;
  };
  VersionScanned: By & { readonly findings: readonly ScanFinding[] };
  /** `class_list`: hash of the stored list of classes; "" where there is none. */
  VersionExtracted: By & {
    readonly status: 'success' | 'failed';
    readonly reason: string;
    readonly class_list: string;
    readonly classes: number;
    readonly external: boolean;
  };
  VersionReviewed: ActedWithReason & { readonly status: 'active' | 'flagged' | 'banned' | 'deleted' };
  VersionDeprecated: By & { readonly deprecated: boolean; readonly reason: string; readonly changelog: string };
  VersionDeleted: ActedWithReason;
  ReviewRequested: By & { readonly message: string };
}

type RegistryEventType = keyof RegistryEventData;
export type RegistryEvent<Type extends RegistryEventType = RegistryEventType> = {
  [T in Type]: { readonly type: T; readonly data: RegistryEventData[T] };
}[Type];

type PublisherEventType = 'PublisherCreated' | 'PublisherBanned' | 'PublisherUnbanned';
type NodeEventType =
  | 'NodeCreated'
  | 'NodeChanged'
  | 'NodeDeleted'
  | 'NodeBanned'
  | 'NodeUnbanned'
  | 'NodeReleased'
  | 'NodeClaimed'
  | 'NodeReported';
type VersionEventType = Exclude<RegistryEventType, PublisherEventType | NodeEventType>;
export type PublisherEvent = RegistryEvent<PublisherEventType>;
export type NodeEvent = RegistryEvent<NodeEventType>;
export type VersionEvent = RegistryEvent<VersionEventType>;
