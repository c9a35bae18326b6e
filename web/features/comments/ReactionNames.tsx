import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/Dialog.tsx";
import type { Kind, Reaction } from "./comment.ts";
import { KindIcon } from "./KindIcon.tsx";

interface ReactionNamesProps {
  reactions: readonly Reaction[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The names and kinds of reactions in order, then the number of people without a visible name. */
export function ReactionNames({ reactions, open, onOpenChange }: ReactionNamesProps) {
  const { t } = useTranslation("comments");
  const unnamed = new Map<Kind, number>();
  for (const { kind, name } of reactions) if (!name) unnamed.set(kind, (unnamed.get(kind) ?? 0) + 1);
  const rows = [
    ...reactions.filter(({ name }) => name),
    ...[...unnamed].map(([kind, count]) => ({
      id: kind,
      kind,
      name: count === 1 ? t("someone") : t("react.people", { count }),
    })),
  ];
  return (
    <Dialog title={t("react.names")} open={open} onOpenChange={onOpenChange}>
      <ul className="grid gap-3">
        {rows.map(({ id, kind, name }) => (
          <li key={id} className="flex items-center gap-3">
            <KindIcon kind={kind} className="size-6 shrink-0" />
            <span dir="auto" className="min-w-0 grow">
              {name}
            </span>
            <span className="text-sm text-ink-soft">{t(`react.kinds.${kind}`)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
