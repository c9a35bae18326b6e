import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { postsQuery } from "../features/blog/blog.queries.ts";
import { PostCard } from "../features/blog/PostCard.tsx";
import { SkyHeading } from "../layout/SkyHeading.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { Empty } from "../ui/Empty.tsx";
import { LoadMore } from "../ui/LoadMore.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** `/blog`: the published posts, newest first. */
export default function BlogPage() {
  const { t, i18n } = useTranslation("blog");
  const language = i18n.resolvedLanguage === "it" ? "it" : "en";
  const posts = useInfiniteQuery(postsQuery(language));
  usePageTitle(t("title"));
  return (
    <>
      <SkyHeading title={t("title")} text={t("text")} />
      <div className="page-width relative -mt-24 grid gap-6 pb-20">
        {posts.isPending ? (
          <div className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3" role="status" aria-label={t("title")}>
            {[1, 2, 3].map((card) => (
              <Skeleton key={card} className="h-96 rounded-3xl" />
            ))}
          </div>
        ) : posts.isLoadingError ? (
          <div className="rounded-3xl border border-line bg-raised">
            <Problem error={new Error(t("failed"))} retry={posts.refetch} />
          </div>
        ) : posts.data?.length === 0 ? (
          <div className="rounded-3xl border border-line bg-raised">
            <Empty picture="stories" title={t("empty")} text={t("emptyText")} />
          </div>
        ) : (
          <ul className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3">
            {posts.data?.map((post) => (
              <li key={post.id}>
                <PostCard post={post} />
              </li>
            ))}
          </ul>
        )}
        <LoadMore pages={posts} />
      </div>
    </>
  );
}
