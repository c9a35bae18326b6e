import { markedParts } from "./marks.ts";

/** Renders a text with the words that match a search marked. */
export const Marked = ({ text, find }: { text: string; find: string }) =>
  markedParts(text, find).map(({ text: part, marked }, place) =>
    marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
      <mark key={place} className="rounded-sm bg-teal/30 text-inherit">
        {part}
      </mark>
    ) : (
      part
    ),
  );
