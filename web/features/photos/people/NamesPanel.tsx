import { MapPin, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import type { Point } from "../../../data/pictured.queries.ts";
import type { NameOnPhoto, Pictured, PicturedPerson } from "../../../data/pictured.ts";
import { PhotoPanel } from "../../../media/PhotoPanel.tsx";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PersonField } from "./PersonField.tsx";
import type { Naming } from "./use-naming.ts";

interface NamesPanelProps {
  photo: Photo;
  pictured: Pictured;
  /** Undefined if the reader may not name people on this photo. */
  naming: Naming | undefined;
  /** The point that was pressed on the photo, for the next name. */
  point: Point | undefined;
  onPoint: (point: Point | undefined) => void;
  onPerson: (person: PicturedPerson) => void;
  onClose: () => void;
  /** The question who is in the photo. */
  children: ReactNode;
}

const NONE: readonly NameOnPhoto[] = [];

/** Renders the names on the open photo, which can be given and removed, beside the photo or below it. */
export function NamesPanel({ photo, pictured, naming, point, onPoint, onPerson, onClose, children }: NamesPanelProps) {
  const { t } = useTranslation("pictured");
  const [removed, setRemoved] = useState<NameOnPhoto>();
  const names = pictured.onPhotos.get(photo.id) ?? NONE;
  const personIds = new Set(names.map(({ person }) => person.id));
  const hasPoints = photo.type === "image" && photo.state === "ready";
  const others = point ? pictured.people : pictured.people.filter(({ id }) => !personIds.has(id));
  return (
    <PhotoPanel title={t("title")} closeLabel={t("close")} onClose={onClose}>
      {names.length > 0 ? (
        <ul className="m-0 grid list-none gap-1 p-0">
          {names.map((name) => (
            <li key={name.person.id} className="flex items-center gap-1">
              <button
                type="button"
                dir="auto"
                onClick={() => onPerson(name.person)}
                className="min-h-11 min-w-0 grow cursor-pointer rounded-xl px-3 text-start font-semibold wrap-anywhere text-deep hover:bg-wash"
              >
                {name.person.name}
              </button>
              {naming && hasPoints && point && (
                <IconButton
                  icon={MapPin}
                  label={t("putHere", { name: name.person.name })}
                  onClick={() => {
                    naming.name(photo, { ...name.person, isNew: false }, point);
                    onPoint(undefined);
                  }}
                />
              )}
              {naming && (
                <IconButton
                  icon={X}
                  label={t("remove", { name: name.person.name })}
                  onClick={() => {
                    naming.remove(photo, name.person);
                    setRemoved(name);
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-soft">{t("none")}</p>
      )}
      {/* A message over the page would be out of reach behind the open photo. */}
      <div role="status" className="empty:hidden">
        {naming && removed && !personIds.has(removed.person.id) && (
          <p className="flex flex-wrap items-center gap-x-3 text-ink-soft">
            <span className="wrap-anywhere">{t("removed", { name: removed.person.name })}</span>
            <Button
              variant="plain"
              size="small"
              onClick={() => {
                naming.restore(photo, removed);
                setRemoved(undefined);
              }}
            >
              {t("undo")}
            </Button>
          </p>
        )}
      </div>
      {naming && (
        <PersonField
          label={t("name")}
          hint={hasPoints ? t(point ? "pointSet" : "pointHint") : t("nameHint")}
          people={others}
          onChoose={(person) => {
            naming.name(photo, person, point);
            onPoint(undefined);
          }}
        />
      )}
      {point && (
        <Button variant="quiet" size="small" className="justify-self-start" onClick={() => onPoint(undefined)}>
          {t("noPoint")}
        </Button>
      )}
      {children}
    </PhotoPanel>
  );
}
