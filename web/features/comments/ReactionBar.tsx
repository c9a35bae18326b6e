import { SmilePlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";
import { isBy, KINDS, type Kind, type Reaction } from "./comment.ts";
import { KindIcon } from "./KindIcon.tsx";
import { namesText } from "./names-text.ts";
import { ReactionNames } from "./ReactionNames.tsx";

interface ReactionBarProps {
  reactions: readonly Reaction[];
  /** The reader's author id; undefined if they cannot react. */
  myId: string | undefined;
  onReact: (kind: Kind, current: Reaction | undefined) => void;
}

/** The reactions to a comment or photo with their authors, and a button to add one. */
export function ReactionBar({ reactions, myId, onReact }: ReactionBarProps) {
  const { t, i18n } = useTranslation("comments");
  const locale = localeOf(i18n.language);
  const [naming, setNaming] = useState(false);
  const mine = (kind: Kind) => reactions.find((one) => one.kind === kind && isBy(one, myId));
  return (
    <>
      {KINDS.map((kind) => {
        const ofKind = reactions.filter((one) => one.kind === kind);
        if (ofKind.length === 0) return null;
        const isMine = myId !== undefined && mine(kind) !== undefined;
        const names = namesText(
          ofKind.map(({ name }) => name),
          locale,
          { others: (count) => t("react.others", { count }), people: (count) => t("react.people", { count }) },
        );
        return (
          <Tooltip key={kind} text={names}>
            <button
              type="button"
              aria-pressed={myId === undefined ? undefined : isMine}
              aria-label={t("react.given", { kind: t(`react.kinds.${kind}`), count: ofKind.length, names })}
              onClick={() => (myId === undefined ? setNaming(true) : onReact(kind, mine(kind)))}
              className={classNames(
                "inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-1.5 rounded-full border px-3 text-sm tabular-nums transition-colors duration-200 ease-out",
                isMine ? "border-deep bg-wash" : "border-line hover:border-deep",
              )}
            >
              <KindIcon kind={kind} />
              {ofKind.length}
            </button>
          </Tooltip>
        );
      })}
      {myId !== undefined && (
        <Menu align="start" trigger={<IconButton icon={SmilePlus} label={t("react.add")} className="text-ink-soft" />}>
          {KINDS.map((kind) => (
            <MenuItem key={kind} onSelect={() => onReact(kind, mine(kind))}>
              <KindIcon kind={kind} />
              {mine(kind) ? t("react.takeBack", { kind: t(`react.kinds.${kind}`) }) : t(`react.kinds.${kind}`)}
            </MenuItem>
          ))}
          {reactions.length > 0 && <MenuItem onSelect={() => setNaming(true)}>{t("react.who")}</MenuItem>}
        </Menu>
      )}
      <ReactionNames reactions={reactions} open={naming} onOpenChange={setNaming} />
    </>
  );
}
