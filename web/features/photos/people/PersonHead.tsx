import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Link2, Merge, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { MemoryContext } from "../../../data/memory-context.ts";
import { personElsewhereQuery } from "../../../data/pictured.queries.ts";
import type { Pictured, PicturedPerson } from "../../../data/pictured.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuActions } from "../../../ui/Menu.tsx";
import { yearsText } from "./person-choices.ts";
import { useManagePeople } from "./use-manage-people.ts";
import { useMemoryAddress } from "./use-memory-address.ts";

const PersonDialog = lazyPart(
  async () => ({ default: (await import("./PersonDialog.tsx")).PersonDialog }),
  "over the page",
);
const MergeDialog = lazyPart(
  async () => ({ default: (await import("./MergeDialog.tsx")).MergeDialog }),
  "over the page",
);
const OwnMemoryDialog = lazyPart(
  async () => ({ default: (await import("./OwnMemoryDialog.tsx")).OwnMemoryDialog }),
  "over the page",
);

interface PersonHeadProps {
  context: MemoryContext;
  pictured: Pictured;
  /** The person whose photos the gallery shows. */
  person: PicturedPerson;
  /** Whether the reader may edit the memory's people. */
  editable: boolean;
  /** Called when the person is merged or deleted. */
  onGone: (other: PicturedPerson | undefined) => void;
}

/** Renders who the person is whose photos the gallery shows, and where else they are. */
export function PersonHead({ context, pictured, person, editable, onGone }: PersonHeadProps) {
  const { t } = useTranslation("pictured");
  const { client, memory } = context;
  const { data: elsewhere } = useQuery(personElsewhereQuery(client, memory.id, person.entryIds));
  const manage = useManagePeople(client, memory.id);
  const [open, setOpen] = useState<"edit" | "merge" | "memory">();
  const addressOf = useMemoryAddress();
  const close = () => setOpen(undefined);
  const facts = [yearsText(person), person.otherNames.join(", ")].filter(Boolean).join(" · ");
  return (
    <div className="flex items-start justify-between gap-3 rounded-2xl bg-wash p-4">
      <div className="grid min-h-11 min-w-0 content-center gap-1">
        <h3 dir="auto" className="font-serif text-xl wrap-anywhere">
          {person.name}
        </h3>
        {facts && (
          <p dir="auto" className="text-ink-soft wrap-anywhere">
            {facts}
          </p>
        )}
        {elsewhere?.own && elsewhere.own.id !== memory.id && (
          <Link to={addressOf(elsewhere.own.id)} className="inline-flex min-h-11 items-center wrap-anywhere">
            {t("person.memory", { name: elsewhere.own.name })}
          </Link>
        )}
        {elsewhere && elsewhere.places.length > 0 && (
          <div className="grid gap-1">
            <p className="text-sm text-ink-soft">{t("person.elsewhere")}</p>
            <ul className="m-0 flex list-none flex-wrap gap-x-4 p-0">
              {elsewhere.places.map((place) => (
                <li key={place.personId} className="min-w-0">
                  <Link
                    dir="auto"
                    to={addressOf(place.memoryId, place.personId)}
                    className="inline-flex min-h-11 items-center wrap-anywhere"
                  >
                    {place.memoryName}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {editable && (
        <Menu trigger={<IconButton icon={Ellipsis} label={t("person.more", { name: person.name })} />}>
          <MenuActions
            actions={[
              { icon: Pencil, text: t("person.edit"), onSelect: () => setOpen("edit") },
              {
                icon: Merge,
                text: t("person.merge"),
                onSelect: (pictured.people.length > 1 || person.merged.length > 0) && (() => setOpen("merge")),
              },
              { icon: Link2, text: t("person.link"), onSelect: () => setOpen("memory") },
              {
                icon: Trash2,
                text: t("person.delete"),
                tone: "danger",
                onSelect: () => {
                  manage.remove(person);
                  onGone(undefined);
                },
              },
            ]}
          />
        </Menu>
      )}
      <Suspense>
        {open === "edit" && <PersonDialog person={person} onSave={manage.edit} onClose={close} />}
        {open === "merge" && (
          <MergeDialog
            person={person}
            people={pictured.people}
            onSplit={manage.split}
            onMerge={(other) => {
              manage.merge(person, other);
              close();
              onGone(other);
            }}
            onClose={close}
          />
        )}
        {open === "memory" && (
          <OwnMemoryDialog client={client} memoryId={memory.id} person={person} own={elsewhere?.own} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}
