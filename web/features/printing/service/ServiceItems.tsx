import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { ServiceItemFields } from "./ServiceItemFields.tsx";
import type { ServiceItem } from "./service.queries.ts";

const KINDS = ["hymn", "reading", "prayer", "music", "words", "part"] as const;
const MOST_ITEMS = 60;

interface ServiceItemsProps {
  items: readonly ServiceItem[];
  /** Changes the list without saving it, while somebody types. */
  onChange: (change: (items: readonly ServiceItem[]) => ServiceItem[]) => void;
  /** Saves the list, with a change. */
  onSave: (change?: (items: readonly ServiceItem[]) => ServiceItem[]) => void;
}

/** The entries of an order of service: written, moved and deleted in place. */
export function ServiceItems({ items, onChange, onSave }: ServiceItemsProps) {
  const { t } = useTranslation("printing");
  const [open, setOpen] = useState<string>();
  const add = (kind: ServiceItem["kind"]) => {
    const id = crypto.randomUUID();
    onSave((list) => [...list, { id, kind, title: "", by: "", text: "" }]);
    setOpen(id);
  };
  const move = (from: number, to: number) =>
    onSave((list) => list.map((item, at) => list[at === from ? to : at === to ? from : at] ?? item));
  const remove = (item: ServiceItem, at: number) => {
    onSave((list) => list.filter(({ id }) => id !== item.id));
    toast({
      title: t("service.removed"),
      action: {
        label: t("service.undo"),
        onSelect: () => onSave((list) => [...list.slice(0, at), item, ...list.slice(at)]),
      },
    });
  };
  return (
    <section aria-label={t("service.items")} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="font-serif text-2xl">{t("service.items")}</h2>
      {items.length === 0 && <p className="text-ink-soft">{t("service.none")}</p>}
      <ol className="m-0 grid list-none grid-cols-[minmax(0,1fr)] gap-2 p-0">
        {items.map((item, at) => {
          const name = item.title || t(`service.kinds.${item.kind}`);
          return (
            <li key={item.id} className="rounded-2xl border border-line bg-raised">
              <div className="flex items-center gap-1 ps-4 pe-1">
                <button
                  type="button"
                  aria-expanded={open === item.id}
                  onClick={() => setOpen(open === item.id ? undefined : item.id)}
                  className="grid min-h-14 min-w-0 grow cursor-pointer content-center text-start"
                >
                  <span className="text-sm text-ink-soft">{t(`service.kinds.${item.kind}`)}</span>
                  {item.title && (
                    <span dir="auto" className="font-semibold wrap-anywhere">
                      {item.title}
                    </span>
                  )}
                </button>
                <IconButton
                  icon={ArrowUp}
                  label={t("service.up", { name })}
                  aria-disabled={at === 0}
                  onClick={() => at > 0 && move(at, at - 1)}
                />
                <IconButton
                  icon={ArrowDown}
                  label={t("service.down", { name })}
                  aria-disabled={at === items.length - 1}
                  onClick={() => at < items.length - 1 && move(at, at + 1)}
                />
                <IconButton icon={Trash2} label={t("service.remove", { name })} onClick={() => remove(item, at)} />
              </div>
              {open === item.id && (
                <ServiceItemFields
                  item={item}
                  onChange={(changes) =>
                    onChange((list) => list.map((other) => (other.id === item.id ? { ...other, ...changes } : other)))
                  }
                  onSave={() => onSave()}
                />
              )}
            </li>
          );
        })}
      </ol>
      {items.length < MOST_ITEMS && (
        <div className="flex flex-wrap gap-2">
          {KINDS.map((kind) => (
            <Button key={kind} icon={Plus} variant="quiet" size="small" onClick={() => add(kind)}>
              {t(`service.kinds.${kind}`)}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}
