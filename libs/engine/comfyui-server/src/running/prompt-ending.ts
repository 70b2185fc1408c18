/** How a prompt ended. */
export type PromptEnding =
  | { readonly kind: 'succeeded' }
  /** `nodeId`: where it stopped; the node that was told last where it is left out. */
  | { readonly kind: 'interrupted'; readonly nodeId?: string | null }
  | {
      readonly kind: 'failed';
      readonly nodeId: string | null;
      /** Python's name of the exception, e.g. `IndexError`. */
      readonly exceptionType: string;
      /** Ends with a line break. */
      readonly message: string;
      readonly traceback: readonly string[];
      readonly currentInputs?: Readonly<Record<string, readonly unknown[]>>;
    };
