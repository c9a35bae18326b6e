import { useQuery } from "@tanstack/react-query";
import { Clapperboard, Download, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Slideshow } from "../../data/slideshows.queries.ts";
import { saveFrom } from "../../lib/browser/save-file.ts";
import { writtenDuration } from "../../lib/formatting/duration.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/Progress.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type Film, filmsQuery, filmUrl, useFilmOrder, useFilmsLive } from "./films.queries.ts";

interface FilmPanelProps {
  memoryId: string;
  slideshow: Pick<Slideshow, "id" | "title">;
  /** The stored slideshow's number of changes. */
  changes: number;
  hasPhotos: boolean;
}

/** Saves a slideshow as a film: its state, progress and download. */
export function FilmPanel({ memoryId, slideshow, changes, hasPhotos }: FilmPanelProps) {
  const { t } = useTranslation("slideshows");
  useFilmsLive(supabase, memoryId);
  const { data: films } = useQuery(filmsQuery(supabase, memoryId));
  const order = useFilmOrder(supabase, memoryId);
  const film = films?.find(({ slideshow_id }) => slideshow_id === slideshow.id);
  const isBusy = film?.state === "waiting" || film?.state === "making";
  const give = (what: "make" | "discard") =>
    order.mutate(
      { slideshow: slideshow.id, order: what },
      { onError: () => toast({ title: t("film.refused"), description: t("unchanged"), tone: "problem" }) },
    );
  const makeButton = (
    <Button
      icon={Clapperboard}
      variant={film?.object_name ? "quiet" : "primary"}
      disabled={!hasPhotos || !films}
      aria-busy={order.isPending}
      onClick={() => give("make")}
    >
      {film?.object_name ? t("film.again") : t("film.make")}
    </Button>
  );
  return (
    <section aria-labelledby="film-title" className="grid gap-4 rounded-3xl border border-line bg-raised p-5 sm:p-6">
      <div className="grid gap-1">
        <h3 id="film-title" className="font-serif text-2xl">
          {t("film.title")}
        </h3>
        <p className="max-w-prose text-ink-soft">{t("film.text")}</p>
      </div>
      {film && <FilmState film={film} isOld={film.object_name !== null && film.made_of !== changes} />}
      {isBusy && <Progress label={t("film.making")} value={film.progress ?? 0} />}
      <div className="flex flex-wrap gap-3">
        {film?.object_name && <SaveFilm film={film} title={slideshow.title} />}
        {isBusy ? (
          <Button icon={X} variant="quiet" onClick={() => give("discard")}>
            {t("film.cancel")}
          </Button>
        ) : (
          makeButton
        )}
        {film?.object_name && !isBusy && (
          <Button icon={Trash2} variant="plain" onClick={() => give("discard")}>
            {t("film.delete")}
          </Button>
        )}
      </div>
    </section>
  );
}

function FilmState({ film, isOld }: { film: Film; isOld: boolean }) {
  const { t, i18n } = useTranslation("slideshows");
  const percent = Math.round((film.progress ?? 0) * 100);
  return (
    <div role="status" className="grid gap-1">
      {film.state === "waiting" && <p>{t("film.waiting")}</p>}
      {film.state === "making" && <p className="tabular-nums">{t("film.progress", { percent })}</p>}
      {film.state === "withdrawn" && <p>{t("film.withdrawn")}</p>}
      {film.state === "failed" && <p className="text-danger-text">{t(`film.failures.${film.failure ?? "failed"}`)}</p>}
      {film.object_name && film.seconds !== null && film.size !== null && (
        <p>
          {t("film.ready", {
            time: writtenDuration(film.seconds),
            size: new Intl.NumberFormat(localeOf(i18n.language), { maximumFractionDigits: 1 }).format(
              Math.max(0.1, film.size / 1e6),
            ),
            date: dateText(film.expires_at ?? "", localeOf(i18n.language)),
          })}
        </p>
      )}
      {isOld && <p className="font-semibold">{t("film.old")}</p>}
    </div>
  );
}

function SaveFilm({ film, title }: { film: Film; title: string }) {
  const { t } = useTranslation("slideshows");
  const save = async () => {
    try {
      const name = `${title}.mp4`;
      saveFrom(await filmUrl(supabase, film.object_name ?? "", name), name);
    } catch {
      toast({ title: t("film.saveFailed"), tone: "problem" });
    }
  };
  return (
    <Button icon={Download} onClick={() => void save()}>
      {t("film.save")}
    </Button>
  );
}
