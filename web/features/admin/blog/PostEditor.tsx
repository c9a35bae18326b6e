import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { languages } from "../../../i18n/languages.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Empty } from "../../../ui/Empty.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { DeskProblem } from "../DeskTable.tsx";
import { useChoices } from "../use-choices.ts";
import { PostForm } from "./PostForm.tsx";
import { PostState } from "./PostState.tsx";
import { type DeskPost, deskPostQuery } from "./posts.queries.ts";
import { type Preview, Revisions } from "./Revisions.tsx";

interface PostEditorProps {
  /** Undefined for a new post. */
  slug: string | undefined;
  preview: Preview;
}

const NONE: DeskPost[] = [];

/** Edits a post, one language at a time. */
export function PostEditor({ slug, preview }: PostEditorProps) {
  const { t, i18n } = useTranslation("adminBlog");
  const [choices, choose] = useChoices(["language"]);
  // The key resets the form when an earlier version is restored.
  const [round, setRound] = useState(0);
  const query = useQuery({ ...deskPostQuery(supabase, slug ?? ""), enabled: slug !== undefined });
  const posts = slug === undefined ? NONE : query.data;
  if (!posts) {
    return query.isLoadingError ? <DeskProblem retry={query.refetch} /> : <Skeleton className="h-96 rounded-3xl" />;
  }
  const chosenLanguage =
    choices.language ||
    (posts.some((post) => post.language === i18n.resolvedLanguage) ? i18n.resolvedLanguage : posts[0]?.language);
  const language = chosenLanguage === "it" || (!chosenLanguage && i18n.resolvedLanguage === "it") ? "it" : "en";
  const post = posts.find((one) => one.language === language);
  const isGone = slug !== undefined && posts.length === 0;
  const again = () => setRound((before) => before + 1);
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-4">
        <SegmentedControl
          label={t("language")}
          value={language}
          onChange={(code) => choose("language", code)}
          options={languages.map(({ code, name }) => ({ value: code, label: name, lang: code }))}
        />
        {post && <PostState post={post} />}
      </div>
      {isGone ? (
        <Empty picture="signpost" title={t("gone.title")} text={t("gone.text")} />
      ) : (
        <PostForm
          key={`${language}${round}`}
          slug={slug}
          language={language}
          posts={posts}
          preview={preview}
          onAgain={again}
        />
      )}
      {isGone && <Revisions slug={slug} language={language} preview={preview} onRestored={again} />}
    </div>
  );
}
