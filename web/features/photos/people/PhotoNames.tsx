import { CircleHelp, UserPlus, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { NameOnPhoto, PicturedPerson } from "../../../data/pictured.ts";

/** The names shown under a photo; the panel has all. */
const MOST_CHIPS = 4;
const CHIP =
  "inline-flex min-h-11 max-w-full cursor-pointer items-center gap-2 rounded-full bg-white/12 px-4 text-sm text-white hover:bg-white/25";

interface PhotoNamesProps {
  names: readonly NameOnPhoto[];
  /** Whether somebody asked who is in the photo. */
  hasQuestion: boolean;
  /** Whether the reader may name people on the photo. */
  editable: boolean;
  onPerson: (person: PicturedPerson) => void;
  onOpen: () => void;
}

/** Renders the names on the open photo as buttons that lead to the people, and a button that opens all names. */
export function PhotoNames({ names, hasQuestion, editable, onPerson, onOpen }: PhotoNamesProps) {
  const { t } = useTranslation("pictured");
  if (names.length === 0 && !editable && !hasQuestion) return null;
  const others = names.length - MOST_CHIPS;
  return (
    <ul aria-label={t("title")} className="m-0 flex max-w-full list-none flex-wrap justify-center gap-2 p-0">
      {names.slice(0, MOST_CHIPS).map(({ person }) => (
        <li key={person.id} className="max-w-full">
          <button type="button" dir="auto" onClick={() => onPerson(person)} className={CHIP}>
            <span className="truncate">{person.name}</span>
          </button>
        </li>
      ))}
      {hasQuestion && (
        <li>
          <button type="button" onClick={onOpen} className={CHIP}>
            <CircleHelp aria-hidden className="size-5 shrink-0" />
            {t("who.question")}
          </button>
        </li>
      )}
      {(editable || names.length > 0) && (
        <li>
          <button
            type="button"
            aria-label={t(editable ? "edit" : "show")}
            onClick={onOpen}
            className={`${CHIP} min-w-11 justify-center ${names.length > 0 || hasQuestion ? "px-3!" : ""}`}
          >
            {editable ? <UserPlus aria-hidden className="size-5" /> : <Users aria-hidden className="size-5" />}
            {others > 0 && <span className="tabular-nums">+{others}</span>}
            {names.length === 0 && !hasQuestion && t("edit")}
          </button>
        </li>
      )}
    </ul>
  );
}
