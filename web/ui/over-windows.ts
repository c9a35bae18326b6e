/**
 * A ref for what stands over open windows and may have the focus while one is open. A window's focus scope listens on the
 * document and takes back the focus from whatever is not inside it: what happens in here does not get as far.
 */
export function overWindows(area: HTMLElement | null) {
  if (!area) return;
  const keep = (event: FocusEvent) => {
    const holder = event.type === "focusin" ? event.target : event.relatedTarget;
    if (holder instanceof Node && area.contains(holder)) event.stopPropagation();
  };
  document.body.addEventListener("focusin", keep);
  document.body.addEventListener("focusout", keep);
  return () => {
    document.body.removeEventListener("focusin", keep);
    document.body.removeEventListener("focusout", keep);
  };
}
