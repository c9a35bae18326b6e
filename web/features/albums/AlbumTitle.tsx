import { zodResolver } from "@hookform/resolvers/zod";
import { Check, Pencil, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { EditConflict } from "../../data/save-over.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { ConflictDialog } from "../../ui/ConflictDialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { AlbumName } from "./album-name.ts";
import { type Album, type NamedAlbum, useRenameAlbum } from "./albums.queries.ts";

const BIG = "font-serif text-(length:--head-name) leading-[1.1] text-white";

/** An album's name, edited in place. */
export function AlbumTitle({ album }: { album: Album }) {
  const { t } = useTranslation("albums");
  const [base, setBase] = useState<NamedAlbum>();
  const { mutate, error, reset } = useRenameAlbum(supabase, album.id);
  const conflict = error instanceof EditConflict ? (error as EditConflict<NamedAlbum>) : undefined;
  const rename = (over: NamedAlbum, name: string) =>
    mutate(
      { base: over, name },
      {
        onError: (problem) => {
          if (!(problem instanceof EditConflict))
            toast({ title: t("renameFailed"), description: t("unchanged"), tone: "problem" });
        },
      },
    );
  const end = () => setBase(undefined);
  if (base)
    return (
      <TitleForm
        album={album}
        onDone={end}
        onSave={(name) => {
          end();
          rename(base, name);
        }}
      />
    );
  return (
    <div className="flex items-end gap-x-2 sm:gap-x-3">
      <h1 dir="auto" className={`${BIG} max-w-4xl min-w-0 wrap-anywhere text-shadow-lg`}>
        {album.name}
      </h1>
      <IconButton
        icon={Pencil}
        label={t("rename")}
        // The name as the form opens with it: a newer one must not be overwritten unseen.
        onClick={() => setBase({ name: album.name, revision: album.revision })}
        className="text-white hover:bg-white/20 hover:text-white"
      />
      <ConflictDialog
        conflict={
          conflict && {
            changes: [{ label: t("name"), theirs: conflict.stored.name, mine: conflict.changes.name ?? "" }],
            onMine: () => rename(conflict.stored, conflict.changes.name ?? ""),
            onTheirs: reset,
          }
        }
      />
    </div>
  );
}

interface TitleFormProps {
  album: Album;
  onSave: (name: string) => void;
  onDone: () => void;
}

function TitleForm({ album, onSave, onDone }: TitleFormProps) {
  const { t } = useTranslation("albums");
  const form = useForm<AlbumName>({ resolver: zodResolver(AlbumName), defaultValues: { name: album.name } });
  useEffect(() => form.setFocus("name", { shouldSelect: true }), [form]);
  const wrong = form.formState.errors.name !== undefined;
  const save = form.handleSubmit(({ name }) => onSave(name));
  return (
    <form noValidate onSubmit={save} className="flex flex-wrap items-center gap-2">
      <h1 dir="auto" className="sr-only">
        {album.name}
      </h1>
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
      <IconButton
        icon={Check}
        label={t("save")}
        type="submit"
        className="bg-teal text-night hover:bg-white hover:text-night"
      />
      <IconButton icon={X} label={t("cancel")} onClick={onDone} variant="cover" />
      {wrong && (
        <p id="album-name-problem" role="alert" className="basis-full font-semibold text-white">
          {t("nameMissing")}
        </p>
      )}
    </form>
  );
}
