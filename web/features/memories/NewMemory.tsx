import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { type Memory, type MemoryChanges, useDeleteMemory } from "../../data/memories.queries.ts";
import { isMemoryLimit } from "../../data/plans.queries.ts";
import { EditConflict } from "../../data/save-over.ts";
import { track } from "../../lib/browser/analytics.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { CoverHead } from "../../media/covers/CoverHead.tsx";
import { Cover, MemoryDates } from "../../media/covers/MemoryCover.tsx";
import { RichTextField } from "../../media/editor/RichTextField.tsx";
import { ownUploads } from "../../media/uploads/queues.ts";
import { useObjectUrl } from "../../media/uploads/UploadRow.tsx";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { DraftPhotos } from "./DraftPhotos.tsx";
import { DraftClosed } from "./draft-saving.ts";
import { MemoryConflict } from "./MemoryConflict.tsx";
import { DateFields, NameFields } from "./MemoryFields.tsx";
import { changesOf, EMPTY_FORM, type FormColumn, formValuesIn, formValuesOf, MemoryFormValues } from "./memory-form.ts";
import { useDraft } from "./use-draft.ts";
import { type DraftPhotosState, useDraftPhotos } from "./use-draft-photos.ts";
import { useReceivedFiles } from "./use-received-files.ts";

interface NewMemoryProps {
  /** The unfinished draft, if any. */
  existing: Memory | null;
  /** The values of a form whose draft was published or discarded elsewhere. A new draft begins with them. */
  initial?: MemoryFormValues | undefined;
  /** The initial kind, which can be changed. */
  kind: Memory["kind"];
  onDiscarded: () => void;
  /** Begins a new memory with these values. */
  onStartNew: (values: MemoryFormValues) => void;
}

/** The page for creating a memory, with photos beside text. All input is saved immediately as a draft. */
export function NewMemory({ existing, initial, kind, onDiscarded, onStartNew }: NewMemoryProps) {
  const { t } = useTranslation(["memories", "plans"]);
  const navigate = useNavigate();
  const form = useForm<MemoryFormValues>({
    resolver: zodResolver(MemoryFormValues),
    defaultValues: existing ? formValuesOf(existing) : (initial ?? { ...EMPTY_FORM, kind }),
  });
  // The story editor ignores changes of the form's value, so it is remounted for the story of another tab.
  const [storyRound, setStoryRound] = useState(0);
  const show = (columns: readonly FormColumn[], row: MemoryChanges) => {
    const values = formValuesIn(row, columns);
    for (const [name, value] of Object.entries(values)) form.setValue(name as keyof MemoryFormValues, value);
    if (columns.includes("description")) setStoryRound((round) => round + 1);
  };
  const draft = useDraft(existing, (theirs, saved) => {
    const current = changesOf(form.getValues());
    const names = Object.keys(theirs) as FormColumn[];
    const edited = names.filter((name) => current[name] !== saved[name]);
    show(
      names.filter((name) => !edited.includes(name)),
      theirs,
    );
    return edited;
  });
  const photos = useDraftPhotos(draft);
  useReceivedFiles(photos.add);
  const { write } = draft;
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => write(values) }),
    [form, write],
  );

  useEffect(() => {
    if (initial) write(initial);
  }, [initial, write]);

  const settle = () => {
    if (draft.conflict) draft.settle(draft.conflict);
    write(form.getValues());
  };

  const publish = useMutation({
    mutationFn: draft.publish,
    onSuccess: (_made, { kind }) => {
      track({ name: "memory_created", kind });
      navigate(paths.memory(draft.id), { replace: true });
    },
  });
  const { files } = photos.uploads;
  const formValues = form.watch();

  return (
    <div className="page-width grid grid-cols-[minmax(0,1fr)] gap-6 pt-4 pb-16 sm:gap-8 sm:pt-8">
      <DraftBanner draftId={draft.id} values={formValues} photos={photos} />
      <p className="text-ink-soft">{existing ? t("new.continueLead") : t("new.lead")}</p>
      <Form
        onSubmit={form.handleSubmit((ready) => publish.mutate(ready))}
        error={
          publish.isError && !(publish.error instanceof DraftClosed || publish.error instanceof EditConflict)
            ? new Error(t(isMemoryLimit(publish.error) ? "plans:memoryLimit.raced" : "new.createFailed"))
            : null
        }
        className="items-start gap-x-12 gap-y-8 lg:grid-cols-2 lg:grid-rows-[auto_auto_1fr]"
      >
        <div className="grid gap-6">
          <NameFields form={form} />
        </div>
        <div className="lg:col-start-2 lg:row-span-3 lg:row-start-1">
          <DraftPhotos photos={photos} />
        </div>
        <div className="grid gap-6">
          <DateFields form={form} />
          <StoryField key={storyRound} memoryId={draft.id} form={form} />
        </div>
        <div
          data-foot
          className="sticky bottom-0 z-10 -mx-4 flex items-center gap-x-3 gap-y-2 border-t border-line bg-paper/95 px-4 py-3 backdrop-blur-sm lg:static lg:mx-0 lg:flex-wrap lg:border-0 lg:p-0"
        >
          <SubmitButton busy={publish.isPending || publish.isSuccess} className="max-w-full shrink-0 max-sm:px-6!">
            {t("new.create")}
          </SubmitButton>
          {draft.saving !== "nothing" && (
            <DiscardDraft
              id={draft.id}
              photoCount={
                photos.stored.length + files.filter(({ state }) => state !== "stored" && state !== "failed").length
              }
              onDiscarded={() => {
                draft.drop();
                ownUploads().remove(files.map(({ id }) => id));
                onDiscarded();
              }}
            />
          )}
          <p role="status" className="text-sm leading-tight text-ink-soft">
            {draft.saving === "saving" && t("new.saving")}
            {draft.saving === "saved" && t("new.saved")}
            {draft.saving === "failed" && !draft.closed && !draft.conflict && t("new.notSaved")}
            {draft.saving === "refused" && (
              <>
                {t("plans:memoryLimit.raced")} <Link to={paths.plans()}>{t("plans:memoryLimit.plans")}</Link>
              </>
            )}
          </p>
        </div>
      </Form>
      <MemoryConflict
        conflict={draft.conflict}
        write={settle}
        dismiss={() => {
          if (draft.conflict) show(draft.conflict.fields as FormColumn[], draft.conflict.stored);
          settle();
        }}
      />
      <ClosedDraft
        id={draft.id}
        closed={draft.closed}
        onOpenChange={draft.askAgain}
        onLeave={draft.drop}
        onStartNew={() => {
          draft.drop();
          onStartNew(form.getValues());
        }}
      />
    </div>
  );
}

interface ClosedDraftProps {
  id: string;
  closed: DraftClosed | undefined;
  onOpenChange: () => void;
  /** Called before the created memory opens. */
  onLeave: () => void;
  onStartNew: () => void;
}

/** Asks how to continue after the draft was published or discarded elsewhere, e.g. in another tab. */
function ClosedDraft({ id, closed, onOpenChange, onLeave, onStartNew }: ClosedDraftProps) {
  const { t } = useTranslation("memories");
  const how = closed?.isPublished ? "published" : "discarded";
  return (
    <Dialog
      title={t(`new.${how}Title`)}
      description={t(`new.${how}Text`)}
      open={closed !== undefined}
      onOpenChange={onOpenChange}
    >
      <div className="flex flex-wrap justify-end gap-3">
        {closed?.isPublished && (
          <Button asChild variant="quiet">
            <Link to={paths.memory(id)} onClick={onLeave}>
              {t("new.openPublished")}
            </Link>
          </Button>
        )}
        <Button onClick={onStartNew}>{t("new.startNew")}</Button>
      </div>
    </Dialog>
  );
}

/** The story field of a draft. */
function StoryField({ memoryId, form }: { memoryId: string; form: UseFormReturn<MemoryFormValues> }) {
  const { t } = useTranslation("memories");
  const kind = form.watch("kind");
  const error = form.formState.errors.story;
  return (
    <RichTextField
      client={supabase}
      memoryId={memoryId}
      label={t("fields.story")}
      placeholder={kind === "tribute" ? t("fields.storyPlaceholder") : t("fields.storyEventPlaceholder")}
      error={error && t("fields.errors.tooLong")}
      html={form.getValues("story")}
      onChange={(html) => form.setValue("story", html, { shouldDirty: true, shouldValidate: error !== undefined })}
    />
  );
}

interface DiscardDraftProps {
  id: string;
  photoCount: number;
  onDiscarded: () => void;
}

/** Discards a draft after a confirmation that names what will be lost. */
function DiscardDraft({ id, photoCount, onDiscarded }: DiscardDraftProps) {
  const { t } = useTranslation("memories");
  const [isConfirming, setConfirming] = useState(false);
  const discard = useDeleteMemory(supabase, onDiscarded, { onlyDraft: true });
  return (
    <>
      <Button icon={Trash2} variant="plain" className="max-sm:px-3!" onClick={() => setConfirming(true)}>
        <span className="max-sm:sr-only">{t("new.discard")}</span>
      </Button>
      <ConfirmDialog
        title={t("new.discardTitle")}
        description={t("new.discardText", { count: photoCount })}
        open={isConfirming}
        onOpenChange={setConfirming}
        confirm={t("new.discard")}
        cancel={t("new.keep")}
        busy={discard.isPending}
        failure={discard.isError && t("page.deleteFailed")}
        onConfirm={() => discard.mutate(id)}
      />
    </>
  );
}

interface DraftBannerProps {
  draftId: string;
  values: MemoryFormValues;
  photos: DraftPhotosState;
}

/** A preview of the memory with its cover or sky and the name being written. */
function DraftBanner({ draftId, values, photos }: DraftBannerProps) {
  const { t } = useTranslation("memories");
  const [today] = useState(() => new Date().toISOString());
  const { birth_date = null, passing_date = null, event_date = null } = changesOf(values);
  const memory = { id: draftId, created_at: today, kind: values.kind, birth_date, passing_date, event_date };
  const { cover, coverOnItsWay, urls } = photos;
  const nearCover = useMediaUrls(cover, urls);
  const preview = useObjectUrl(coverOnItsWay?.file);
  const [unknown, setUnknown] = useState<string>();
  // A placeholder of unknown size, because a photo that is still uploading has no stored size.
  const photo = cover ?? (preview && preview !== unknown ? UNMEASURED : null);
  return (
    <header>
      <CoverHead
        className="rounded-3xl [--cover:9rem] [--head-name:clamp(1.875rem,4vw,3rem)] [--hero:7rem] sm:[--hero:16rem]"
        cover={photo}
        picture={
          <>
            <Cover
              memory={memory}
              cover={cover}
              urls={nearCover}
              sizes="(min-width: 64rem) 50vw, 100vw"
              eager
              className="size-full"
            />
            {preview && preview !== unknown && (
              <img
                src={preview}
                alt=""
                onError={() => setUnknown(preview)}
                className="absolute inset-0 size-full object-cover"
              />
            )}
          </>
        }
      >
        <h1 dir="auto" className="font-serif text-(length:--head-name) leading-tight wrap-anywhere">
          {values.name.trim() || t("new.title")}
        </h1>
        <p className="text-white/90 empty:hidden">
          <MemoryDates memory={memory} />
        </p>
      </CoverHead>
    </header>
  );
}

/** A photo whose colour and size the server has not measured yet. */
const UNMEASURED = { colour: null, width: null, height: null };
