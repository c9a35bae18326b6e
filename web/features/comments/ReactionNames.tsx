import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/Dialog.tsx";
import type { Reaction } from "./comment.ts";
import { KindIcon } from "./KindIcon.tsx";

interface ReactionNamesProps {
  reactions: readonly Reaction[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Who gave what, in the order in which it was given. */
export function ReactionNames({ reactions, open, onOpenChange }: ReactionNamesProps) {
  const { t } = useTranslation("comments");
  return (
    <Dialog title={t("react.names")} open={open} onOpenChange={onOpenChange}>
      <ul className="grid gap-3">
        {reactions.map(({ id, kind, name }) => (
          <li key={id} className="flex items-center gap-3">
            <KindIcon kind={kind} className="size-6 shrink-0" />
            <span className="min-w-0 grow">{name || t("someone")}</span>
            <span className="text-sm text-ink-soft">{t(`react.kinds.${kind}`)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
