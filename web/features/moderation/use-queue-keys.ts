import { useEffect, useRef, useState } from "react";
import type { QueueItem } from "../../data/moderation.queries.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";

/** The actions of the keyboard shortcuts: decisions about the focused item, and undo. */
interface KeyedActions {
  show: (item: QueueItem) => void;
  hide: (item: QueueItem) => void;
  block: (item: QueueItem) => void;
  undo: () => void;
}

const ARROWS: Record<string, string> = { ArrowDown: "j", ArrowUp: "k" };

/** Keyboard shortcuts for decisions. After a decision the next item gets the focus. */
export function useQueueKeys(items: readonly QueueItem[], actions: KeyedActions) {
  const elements = useRef(new Map<string, HTMLElement>());
  const [place, setPlace] = useState(0);
  const current = Math.min(place, Math.max(0, items.length - 1));
  const acted = useRef(false);

  // The focused item disappears after the decision, so the next one is focused.
  useEffect(() => {
    if (!acted.current) return;
    acted.current = false;
    elements.current.get(items[current]?.id ?? "")?.focus();
  }, [items, current]);

  const latest = useLatest({ items, current, actions });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (
        event.target instanceof Element &&
        event.target.closest("input[type=text], textarea, [role=menu], [role=dialog]")
      )
        return;
      const { items, current, actions } = latest.current;
      const item = items[current];
      const go = (to: number) => {
        const next = items[Math.max(0, Math.min(items.length - 1, to))];
        if (next) elements.current.get(next.id)?.focus();
      };
      const decide = (action: (item: QueueItem) => void) => {
        if (!item) return;
        acted.current = true;
        action(item);
      };
      const inList =
        event.target === document.body ||
        [...elements.current.values()].some((one) => one.contains(event.target as Node));
      const press: Record<string, () => void> = {
        a: () => decide(actions.show),
        h: () => decide(actions.hide),
        b: () => decide(actions.block),
        u: actions.undo,
        j: () => go(current + (document.activeElement === document.body ? 0 : 1)),
        k: () => go(current - 1),
      };
      const key = inList ? (ARROWS[event.key] ?? event.key) : event.key;
      const act = press[key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  return {
    current,
    setCurrent: setPlace,
    /** Must be called before a decision by button, so that the next item is focused. */
    willAct: () => {
      acted.current = true;
    },
    hold: (id: string) => (element: HTMLElement | null) => {
      if (element) elements.current.set(id, element);
      else elements.current.delete(id);
    },
  };
}
