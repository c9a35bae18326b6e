import type { Editor } from "@tiptap/react";

/**
 * Puts a photo into a story between two blocks: after the one that `at` (else the cursor) is in, or in its place where
 * it is empty. Writing goes on below.
 */
export function insertMedia(editor: Editor, media: { id: string; caption: string }, at?: number) {
  const { doc, selection } = editor.state;
  const place = doc.resolve(at ?? selection.to);
  const block = place.depth > 0 ? place.node(1) : undefined;
  const empty = block?.type.name === "paragraph" && block.content.size === 0;
  const from = block ? (empty ? place.before(1) : place.after(1)) : place.pos;
  const to = block ? place.after(1) : place.pos;
  const photo = {
    type: "photo",
    attrs: { media: media.id },
    content: media.caption ? [{ type: "text", text: media.caption.replaceAll(/\s+/g, " ") }] : [],
  };
  const next = doc.nodeAt(to);
  const content = next ? [photo] : [photo, { type: "paragraph" }];
  const size = 2 + (photo.content[0]?.text.length ?? 0);
  editor
    .chain()
    .insertContentAt({ from, to }, content, { updateSelection: false })
    .setTextSelection(from + size + 1)
    .scrollIntoView()
    .run();
}
