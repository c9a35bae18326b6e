import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { languages } from "../../../i18n/languages.ts";
import { useFind } from "../../../lib/browser/use-find.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/Empty.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { DeskList } from "../DeskTable.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { PostState } from "./PostState.tsx";
import { deskPostsQuery } from "./posts.queries.ts";

/** Every post with its state in each language, searchable by title. */
export function PostList() {
  const { t, i18n } = useTranslation("adminBlog");
  const { text, find, setText } = useFind();
  const rows = useInfiniteQuery(deskPostsQuery(supabase, find));
  return (
    <div className="grid gap-5">
      <SearchField label={t("find")} value={text} onChange={setText} className="max-w-xl" />
      <DeskList
        pages={rows}
        empty={<Empty picture="stories" title={t("empty.title")} text={t("empty.text")} />}
        caption={t("title")}
        keyOf={({ slug }) => slug}
        columns={[
          {
            head: t("fields.title"),
            cell: ({ slug, posts }) => (
              <>
                <Link to={paths.admin("blog", slug)} {...ROW_LINK}>
                  {(posts.find(({ language }) => language === i18n.resolvedLanguage) ?? posts[0])?.title}
                </Link>
                <span className="block text-sm font-normal text-ink-soft">{slug}</span>
              </>
            ),
          },
          ...languages.map(({ code, name }) => ({
            head: name,
            cell: ({ posts }: NonNullable<typeof rows.data>[number]) => (
              <PostState post={posts.find(({ language }) => language === code)} />
            ),
          })),
        ]}
      />
    </div>
  );
}
