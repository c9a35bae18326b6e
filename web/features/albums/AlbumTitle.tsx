import { zodResolver } from "@hookform/resolvers/zod";
import { Check, Pencil, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { AlbumName } from "./album-name.ts";
import { type Album, useChangeAlbum } from "./albums.queries.ts";

const BIG = "font-serif text-[clamp(2.25rem,6vw,4rem)] leading-[1.1] text-white";

/** An album's name, changed where it stands. */
export function AlbumTitle({ album }: { album: Album }) {
  const { t } = useTranslation("albums");
  const [editing, setEditing] = useState(false);
  if (editing) return <TitleForm album={album} onDone={() => setEditing(false)} />;
  return (
    <div className="flex items-end gap-x-2 sm:gap-x-3">
      <h1 className={`${BIG} max-w-4xl min-w-0 break-words text-shadow-lg`}>{album.name}</h1>
      <IconButton
        label={t("rename")}
        onClick={() => setEditing(true)}
        className="text-white hover:bg-white/20 hover:text-white"
      >
        <Pencil aria-hidden className="size-5" />
      </IconButton>
    </div>
  );
}

function TitleForm({ album, onDone }: { album: Album; onDone: () => void }) {
  const { t } = useTranslation("albums");
  const change = useChangeAlbum(supabase, album.id);
  const form = useForm<AlbumName>({ resolver: zodResolver(AlbumName), defaultValues: { name: album.name } });
  useEffect(() => form.setFocus("name", { shouldSelect: true }), [form]);
  const wrong = form.formState.errors.name !== undefined;
  const save = form.handleSubmit(({ name }) => {
    onDone();
    if (name === album.name) return;
    change.mutate(
      { name },
      { onError: () => toast({ title: t("renameFailed"), description: t("unchanged"), tone: "problem" }) },
    );
  });
  return (
    <form noValidate onSubmit={save} className="flex flex-wrap items-center gap-2">
      <h1 className="sr-only">{album.name}</h1>
      <input
        aria-label={t("name")}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? "album-name-problem" : undefined}
        autoComplete="off"
        maxLength={200}
        onKeyDown={(event) => event.key === "Escape" && onDone()}
        className={`${BIG} min-w-0 flex-1 rounded-2xl max-sm:basis-full max-sm:text-3xl border border-white/60 bg-black/40 px-4 py-1 backdrop-blur-sm`}
        {...form.register("name")}
      />
      <IconButton label={t("save")} type="submit" className="bg-teal text-night hover:bg-white hover:text-night">
        <Check aria-hidden className="size-5" />
      </IconButton>
      <IconButton label={t("cancel")} onClick={onDone} variant="cover">
        <X aria-hidden className="size-5" />
      </IconButton>
      {wrong && (
        <p id="album-name-problem" role="alert" className="basis-full font-semibold text-white">
          {t("nameMissing")}
        </p>
      )}
    </form>
  );
}
