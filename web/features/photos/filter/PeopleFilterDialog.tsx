import { useState } from "react";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../../shared/number-text.ts";
import { searchKey } from "../../../../shared/search-key.ts";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";

interface PeopleFilterDialogProps {
  /** People whose names are on photos. */
  people: readonly PicturedPerson[];
  chosen: readonly PicturedPerson[];
  onChange: (chosen: readonly PicturedPerson[]) => void;
  onClose: () => void;
}

/** From this number of people, the list can be searched. */
const MANY = 10;

/** Renders the choice of people whose photos the gallery shows. */
export function PeopleFilterDialog({ people, chosen, onChange, onClose }: PeopleFilterDialogProps) {
  const { t, i18n } = useTranslation("pictured");
  const [find, setFind] = useState("");
  // The URL follows after the box.
  const [ids, setIds] = useState(() => chosen.map(({ id }) => id));
  const toggle = (id: string) => {
    const next = ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
    setIds(next);
    onChange(people.filter((person) => next.includes(person.id)));
  };
  const sought = searchKey(find);
  const matches = people.filter(({ name, otherNames }) =>
    [name, ...otherNames].some((text) => ` ${searchKey(text)}`.includes(` ${sought}`)),
  );
  return (
    <Dialog title={t("filter.title")} description={t("filter.text")} open onOpenChange={(open) => !open && onClose()}>
      <div className="grid gap-4">
        {people.length >= MANY && <SearchField label={t("filter.find")} value={find} onChange={setFind} begins />}
        <ul className="m-0 grid max-h-[50dvh] list-none gap-1 overflow-y-auto p-0">
          {matches.map((person) => (
            <li key={person.id}>
              <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 py-1.5 hover:bg-wash">
                <input
                  type="checkbox"
                  checked={ids.includes(person.id)}
                  onChange={() => toggle(person.id)}
                  className="size-5 shrink-0 accent-deep"
                />
                <span dir="auto" className="min-w-0 grow wrap-anywhere">
                  {person.name}
                </span>
                <span className="shrink-0 text-sm text-ink-soft tabular-nums">
                  {t("filter.photos", {
                    count: person.mediaIds.size,
                    number: numberText(person.mediaIds.size, i18n.language),
                  })}
                </span>
              </label>
            </li>
          ))}
        </ul>
        {matches.length === 0 && <p className="text-ink-soft">{t("filter.none")}</p>}
        <Button className="justify-self-end" onClick={onClose}>
          {t("filter.done")}
        </Button>
      </div>
    </Dialog>
  );
}
