/** Whether an element is a field for text, or inside of one. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, [contenteditable=true]") !== null;
