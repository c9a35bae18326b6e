import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { STORY_LIMIT } from "../../../../shared/story-html.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import type { EditorHandle } from "../../../media/editor/RichEditor.tsx";
import { RichTextField } from "../../../media/editor/RichTextField.tsx";
import { useObjectUrl } from "../../../media/uploads/UploadRow.tsx";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CoverField } from "./CoverField.tsx";
import { ImportMarkdown } from "./ImportMarkdown.tsx";
import {
  coverPictureQuery,
  type DeskPost,
  type PostLanguage,
  stateOf,
  useChangePost,
  useSavePost,
} from "./posts.queries.ts";
import { type Preview, Revisions } from "./Revisions.tsx";
import { useUnsavedPost } from "./use-unsaved-post.ts";

interface PostFormProps {
  /** Undefined for a new post. */
  slug: string | undefined;
  language: PostLanguage;
  /** The post in all of its languages. */
  posts: readonly DeskPost[];
  preview: Preview;
  /** Resets the form to the stored post. */
  onAgain: () => void;
}

/** The action of a save: keep the publication state, publish, schedule, or return to draft. */
type SaveAction = "save" | "publish" | "schedule" | "draft";

/** Errors with a specific text. */
const REFUSALS = ["overtaken", "23503", "23505"] as const;

/** Writes a post in one language. Each save is one version. */
export function PostForm({ slug, language, posts, preview, onAgain }: PostFormProps) {
  const { t } = useTranslation("adminBlog");
  const navigate = useNavigate();
  const user = useUser();
  const post = posts.find((one) => one.language === language);
  const stored = {
    title: post?.title ?? "",
    summary: post?.summary ?? "",
    body: post?.body ?? "",
    author: post?.author ?? posts[0]?.author ?? user.fullName,
    cover: (post ?? posts[0])?.cover ?? null,
    cover_alt: post?.cover_alt ?? "",
    slug: slug ?? "",
  };
  const form = useUnsavedPost(slug, language, stored, post?.updated_at);
  const { written, write, unsaved } = form;
  const [attempted, setAttempted] = useState<SaveAction>();
  const [previewing, setPreviewing] = useState(false);
  const [scheduling, setScheduling] = useState(false);
  const editor = useRef<EditorHandle>(null);
  const coverUrl = useObjectUrl(useQuery(coverPictureQuery(supabase, written.cover)).data ?? undefined);
  const save = useSavePost(supabase);
  const change = useChangePost(supabase);
  const state = post ? stateOf(post) : "draft";
  const fixed = posts.some((one) => stateOf(one) === "published");

  const invalidFields = (action: SaveAction) => ({
    title: !written.title.trim(),
    slug: !isSlug(written.slug),
    summary: !written.summary.trim(),
    author: !written.author.trim(),
    body: written.body.length > STORY_LIMIT || (!written.body && (action === "publish" || action === "schedule")),
  });
  const error = (name: keyof ReturnType<typeof invalidFields>) =>
    attempted && invalidFields(attempted)[name] ? t(`wrong.${name}`) : undefined;
  const field = (name: "title" | "summary" | "author") => ({
    label: t(`fields.${name}`),
    value: written[name],
    error: error(name),
    onChange: ({ target }: { target: { value: string } }) => write({ [name]: target.value }),
  });

  /** Whether the form is valid for this action; if not, its fields show errors. */
  const validate = (action: SaveAction) => {
    setAttempted(action);
    if (Object.values(invalidFields(action)).includes(true)) setPreviewing(false);
    return !Object.values(invalidFields(action)).includes(true) && !save.isPending;
  };
  const run = (action: SaveAction, published_at?: string | null) => {
    if (!validate(action)) return;
    const { slug: address, ...fields } = written;
    const base = post && { id: post.id, slug: post.slug, updated_at: form.base ?? post.updated_at };
    save.mutate(
      { fields, language, slug: address, ...(base && { base }), ...(published_at !== undefined && { published_at }) },
      {
        onSuccess: (now) => {
          form.settle(written, now.updated_at);
          setAttempted(undefined);
          toast({ title: t(`done.${action}`), tone: "success" });
          if (now.slug !== slug)
            navigate({ pathname: paths.admin("blog", now.slug), search: `?language=${language}` }, { replace: true });
        },
        onError: ({ cause }) => cause === "overtaken" && form.replaceAnything(),
      },
    );
  };
  const remove = (gone: DeskPost) => {
    const failed = () => toast({ title: t("saveFailed"), tone: "problem" });
    // Uses the promise, because the callbacks of `mutate` do not run after this form is unmounted.
    const undo = () => void change.mutateAsync({ back: gone }).catch(failed);
    change.mutateAsync({ remove: gone }).then(() => {
      toast({ title: t("deleted"), action: { label: t("undo"), onSelect: undo } });
      navigate(paths.admin("blog"));
    }, failed);
  };
  const discard = () => {
    const back = form.forget();
    onAgain();
    const undo = () => {
      back();
      onAgain();
    };
    toast({ title: t("discarded"), action: { label: t("undo"), onSelect: undo } });
  };
  const refusal = REFUSALS.find((code) => code === save.error?.cause);
  const otherActions: [SaveAction, () => void][] = [
    ...(state === "published" ? [] : [["publish", () => run("publish", "now")] as [SaveAction, () => void]]),
    ...(state === "published"
      ? []
      : [["schedule", () => validate("schedule") && setScheduling(true)] as [SaveAction, () => void]]),
    ...(state === "draft" ? [] : [["draft", () => run("draft", null)] as [SaveAction, () => void]]),
  ];

  return (
    <>
      <Form
        error={save.error && new Error(t(refusal ? `refusals.${refusal}` : "saveFailed"))}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          run("save");
        }}
      >
        {form.found && (
          <p className="flex flex-wrap items-center gap-3 rounded-xl bg-wash px-4 py-3" role="status">
            {t("found")}
            <Button variant="quiet" size="small" onClick={discard}>
              {t("discard")}
            </Button>
          </p>
        )}
        <div className={previewing ? "hidden" : "grid gap-5"}>
          <TextField
            {...field("title")}
            maxLength={200}
            autoComplete="off"
            onChange={({ target }) =>
              // The slug follows the title until one of them was saved or the slug was typed.
              write({
                title: target.value,
                ...(slug === undefined && written.slug === slugFrom(written.title) && { slug: slugFrom(target.value) }),
              })
            }
          />
          <TextField
            label={t("fields.slug")}
            hint={t(fixed ? "slugFixed" : "slugHint", { slug: written.slug || "…" })}
            value={written.slug}
            error={error("slug")}
            readOnly={fixed}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => write({ slug: target.value })}
          />
          <TextArea {...field("summary")} maxLength={500} />
          <TextField {...field("author")} maxLength={100} autoComplete="off" />
          <CoverField value={written} onChange={({ cover, cover_alt }) => write({ cover, cover_alt })} url={coverUrl} />
          <RichTextField
            client={supabase}
            label={t("fields.body")}
            error={error("body")}
            placeholder={t("placeholder")}
            html={written.body}
            onChange={(body) => write({ body })}
            onReady={(handle) => {
              editor.current = handle;
            }}
          />
          <ImportMarkdown onImport={(html) => editor.current?.replace(html)} />
        </div>
        {previewing && (
          <div lang={language} className="min-w-0 rounded-3xl border border-line bg-page p-5 sm:p-8">
            {preview({ ...written, coverUrl, published_at: post?.published_at ?? new Date().toISOString() })}
          </div>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton size="medium" busy={save.isPending}>
            {t(state === "draft" ? "steps.saveDraft" : "steps.save")}
          </SubmitButton>
          {otherActions.map(([name, press]) => (
            <Button key={name} variant="quiet" onClick={press}>
              {t(name === "schedule" && state === "scheduled" ? "steps.reschedule" : `steps.${name}`)}
            </Button>
          ))}
          <Button variant="quiet" onClick={() => setPreviewing(!previewing)}>
            {t(previewing ? "steps.write" : "steps.preview")}
          </Button>
          {post && (
            <Button variant="plain" aria-busy={change.isPending} onClick={() => !change.isPending && remove(post)}>
              {t("steps.delete")}
            </Button>
          )}
        </div>
        <p className="text-sm text-ink-soft">
          {t(unsaved ? "unsaved" : "savedHint")}{" "}
          {state === "published" && <Link to={paths.blogPost(written.slug)}>{t("view")}</Link>}
        </p>
      </Form>
      {slug !== undefined && (
        <Revisions slug={slug} language={language} preview={preview} unsaved={unsaved} onRestored={onAgain} />
      )}
      <SchedulePost
        open={scheduling}
        onClose={() => setScheduling(false)}
        onChosen={(moment) => {
          setScheduling(false);
          run("schedule", moment);
        }}
      />
    </>
  );
}

/** Converts a text to a slug: small letters, digits and single hyphens. */
const slugFrom = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
    .replace(/^-|-$/g, "");

const isSlug = (text: string): boolean => text.length <= 100 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);

interface SchedulePostProps {
  open: boolean;
  onClose: () => void;
  /** Receives the time in ISO 8601. */
  onChosen: (moment: string) => void;
}

/** Asks for the publication time of a post. */
function SchedulePost({ open, onClose, onChosen }: SchedulePostProps) {
  const { t } = useTranslation("adminBlog");
  const [isPast, setIsPast] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const moment = new Date(String(new FormData(event.currentTarget).get("moment") ?? ""));
    const fits = moment.getTime() > serverNow();
    setIsPast(!fits);
    if (fits) onChosen(moment.toISOString());
  };
  return (
    <Dialog
      title={t("schedule.title")}
      description={t("schedule.text")}
      open={open}
      onOpenChange={(next) => !next && onClose()}
    >
      <Form onSubmit={submit}>
        <TextField
          name="moment"
          type="datetime-local"
          label={t("schedule.field")}
          error={isPast ? t("schedule.wrong") : undefined}
        />
        <SubmitButton size="medium" className="justify-self-end">
          {t("schedule.submit")}
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
