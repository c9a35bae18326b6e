import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import type { MemoryPerson } from "./mention.ts";

interface MentionListProps {
  id: string;
  people: readonly MemoryPerson[];
  /** The one that Enter takes. */
  chosen: number;
  onTake: (person: MemoryPerson) => void;
}

/** The option's id, for the field that points to it. */
export const optionId = (listId: string, index: number) => `${listId}-${index}`;

/** Whom an "@" may mean. The focus stays in the field; its keys move the choice. */
export function MentionList({ id, people, chosen, onTake }: MentionListProps) {
  const { t } = useTranslation("comments");
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t("write.people")}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-2xl border border-line bg-raised p-2 shadow-lifted"
    >
      {people.map((person, index) => (
        <div
          key={person.id}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(person);
          }}
          className={classNames(
            "flex min-h-11 cursor-pointer items-center rounded-xl px-3",
            index === chosen && "bg-wash text-deep",
          )}
        >
          {person.name}
        </div>
      ))}
    </div>
  );
}
