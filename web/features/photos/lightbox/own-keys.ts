/** Whether what has the focus takes its own keys, as a field does. */
export const hasOwnKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("input, textarea, select, video, [contenteditable=true], [role=menu], [role=slider]") !== null;
