import type { Editor } from "@tiptap/react";

/** Moves the block at a position of a story past the one before (-1) or after it (1); at the edge it stays. */
export function moveBlock(editor: Editor, at: number, by: -1 | 1) {
  const { doc, tr } = editor.state;
  const block = doc.nodeAt(at);
  const place = doc.resolve(at);
  const other = by === -1 ? place.nodeBefore : block && doc.resolve(at + block.nodeSize).nodeAfter;
  if (!block || !other) return;
  const to = by === -1 ? at - other.nodeSize : at + other.nodeSize;
  editor.view.dispatch(
    tr
      .delete(at, at + block.nodeSize)
      .insert(to, block)
      .scrollIntoView(),
  );
}
